// Lines that are not blank, per package.
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const packages = fileURLToPath(new URL("../../packages", import.meta.url))

const isCode = (path) => /\.(ts|mjs)$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path)

/** Lines of each file below a folder, or of none when it does not exist. */
const linesBelow = (folder) => {
  try {
    return readdirSync(folder, { recursive: true })
      .filter(isCode)
      .map((path) => readFileSync(join(folder, path), "utf8"))
      .map((text) => text.split("\n").filter((line) => line.trim() !== "").length)
  } catch (error) {
    if (error.code === "ENOENT") return []
    throw error
  }
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

/** `{ name, src, test, longest }`; packages without a `src` folder are tools and not listed. */
export const linesByPackage = () =>
  readdirSync(packages)
    .map((name) => {
      const src = linesBelow(join(packages, name, "src"))
      const test = linesBelow(join(packages, name, "test"))
      return { name, src: sum(src), test: sum(test), longest: Math.max(0, ...src) }
    })
    .filter(({ src }) => src > 0)
