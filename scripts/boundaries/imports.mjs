// What a file imports, and which file or package that is.
import { isBuiltin } from "node:module"
import { posix } from "node:path"
import ts from "typescript"

/** Every import, export-from, dynamic import and type import: `{ specifier, line }`. */
export const importsOf = (text) =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => ({
    specifier: fileName,
    line: text.slice(0, pos).split("\n").length,
  }))

/** `packages/client/src/index.ts` → `client`. */
export const packageOf = (path) => /^packages\/([^/]+)\//.exec(path)?.[1]

const nodeConditions = ["@entente/source", "node", "import", "default"]
const browserConditions = ["@entente/source", "browser", "import", "default"]

/** Follows a target of `exports` or `imports` in a manifest, the way a resolver does. */
const followConditions = (target, conditions) => {
  if (typeof target !== "object" || target === null) return target
  const met = Object.keys(target).find((condition) => conditions.includes(condition))
  return met === undefined ? undefined : followConditions(target[met], conditions)
}

/** `./dist/a.js` and `./src/a.js` are built from, or stand for, `src/a.ts`. */
const sourceFile = (folder, target) =>
  posix.join(folder, target.replace(/^\.\/dist\//, "./src/").replace(/\.js$/, ".ts"))

const externalName = (specifier) => {
  const [first, second] = specifier.split("/")
  return specifier.startsWith("@") ? `${first}/${second}` : first
}

const resolveRelative = (specifier, from, files) => {
  const path = sourceFile(posix.dirname(from), specifier)
  if (packageOf(path) !== packageOf(from)) return { kind: "outside", path }
  return files.has(path) ? { kind: "file", path } : { kind: "unresolved", why: `no file ${path}` }
}

const resolveInner = (specifier, from, { manifests }, conditions) => {
  const name = packageOf(from)
  const target = followConditions(manifests.get(name)?.imports?.[specifier], conditions)
  if (typeof target !== "string") {
    return { kind: "unresolved", why: `not in "imports" of packages/${name}/package.json` }
  }
  return { kind: "file", path: sourceFile(`packages/${name}`, target) }
}

const resolveOurs = (specifier, { manifests }, conditions) => {
  const [, name, ...rest] = specifier.split("/")
  const manifest = manifests.get(name)
  if (manifest === undefined) return { kind: "unresolved", why: `no package packages/${name}` }
  const subpath = [".", ...rest].join("/")
  const target = followConditions(manifest.exports?.[subpath], conditions)
  if (typeof target !== "string") {
    return { kind: "unexported", name, why: `"${subpath}" is not in its exports` }
  }
  return { kind: "package", name, path: sourceFile(`packages/${name}`, target) }
}

/**
 * Where an import leads: `file` (same package), `package` (one of ours, with its entry), `builtin`,
 * `external`, or what is wrong with it: `outside`, `unexported`, `unresolved`.
 */
export const resolveImport = (specifier, from, repository, platform = "node") => {
  const conditions = platform === "browser" ? browserConditions : nodeConditions
  if (specifier.startsWith(".")) return resolveRelative(specifier, from, repository.files)
  if (specifier.startsWith("#")) return resolveInner(specifier, from, repository, conditions)
  if (specifier.startsWith("@entente/")) return resolveOurs(specifier, repository, conditions)
  if (isBuiltin(specifier)) return { kind: "builtin" }
  return { kind: "external", name: externalName(specifier) }
}
