// `pnpm charts`: writes the pictures and pages of docs/charts from the charts that run. Needs a build.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import * as parts from "../packages/charts/dist/index.js"
import { toSvg } from "../packages/charts/dist/svg/index.js"
import { chartDocuments } from "./charts/documents.mjs"

const folder = new URL("../docs/charts/", import.meta.url)
const documents = await chartDocuments({ ...parts, toSvg })
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) {
  if (!documents.has(name)) rmSync(new URL(name, folder))
}
for (const [name, text] of documents) writeFileSync(new URL(name, folder), text)
console.log(`docs/charts: ${documents.size} files`)
