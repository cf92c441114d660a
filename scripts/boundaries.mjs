// `pnpm boundaries`: checks who imports whom (boundaries/table.json, boundaries/rules.mjs).
// With `--print`: the block of arrows for docs/architecture.md.
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { architectureLines } from "./boundaries/architecture.mjs"
import { findViolations } from "./boundaries/rules.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

export { findViolations }

/** The allow-lists. */
export const table = JSON.parse(
  readFileSync(new URL("boundaries/table.json", import.meta.url), "utf8"),
)

const concerns = /^(packages\/[^/]+\/(package\.json|(src|test)\/.*\.ts)|docs\/architecture\.md)$/

const listFiles = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory())
      return /^(node_modules|dist|\..*)$/.test(entry.name) ? [] : listFiles(path)
    return concerns.test(path) ? [path] : []
  })

/** The repository's files that a rule looks at: path → text. */
export const readFiles = () =>
  new Map(
    ["packages", "docs"]
      .flatMap(listFiles)
      .map((path) => [path, readFileSync(join(root, ...path.split("/")), "utf8")]),
  )

const main = () => {
  if (process.argv.includes("--print")) {
    console.log(architectureLines(table.arrows).join("\n"))
    return
  }
  const files = readFiles()
  const violations = findViolations(files, table)
  for (const { file, line, message } of violations) console.log(`${file}:${line} ${message}`)
  console.log(
    violations.length === 0
      ? `Boundaries: ${files.size} files, none crosses one.`
      : `Boundaries: ${violations.length} violations.`,
  )
  process.exitCode = violations.length === 0 ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
