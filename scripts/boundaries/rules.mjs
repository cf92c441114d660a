// Who may import whom. Each rule takes the repository and returns its violations, each with the
// file and line to change.
import { architectureViolations } from "./architecture.mjs"
import { findCycles } from "./cycles.mjs"
import { importsOf, packageOf, resolveImport } from "./imports.mjs"

const isSource = (path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path)
const isTest = (path) => /^packages\/[^/]+\/test\/.*\.ts$/.test(path)

/** Reads a map of paths (relative to the root, with `/`) to texts once, for all rules. */
const readRepository = (files, table) => {
  const manifests = new Map()
  const imports = new Map()
  for (const [path, text] of files) {
    if (/^packages\/[^/]+\/package\.json$/.test(path)) {
      manifests.set(packageOf(path), JSON.parse(text))
    }
    if (isSource(path) || isTest(path)) imports.set(path, importsOf(text))
  }
  const sources = [...imports.keys()].filter(isSource)
  return { files, table, manifests, imports, sources }
}

/** Every import of the given files, resolved as Node or a browser would. */
const resolved = (repository, paths, platform) =>
  paths.flatMap((file) =>
    repository.imports.get(file).map(({ specifier, line }) => ({
      file,
      line,
      specifier,
      to: resolveImport(specifier, file, repository, platform),
    })),
  )

const violation = ({ file, line }, message) => ({ file, line, message })

const arrows = (repository) =>
  resolved(repository, repository.sources).flatMap((found) => {
    const from = packageOf(found.file)
    const allowed = repository.table.arrows[from]
    if (allowed === undefined) {
      return [violation(found, `package ${from} is not in scripts/boundaries/table.json`)]
    }
    const { kind, name } = found.to
    if ((kind !== "package" && kind !== "unexported") || name === from) return []
    const arrow = allowed.find((target) => target.split(" ")[0] === name)
    if (arrow === undefined) {
      const list = allowed.length === 0 ? "none of ours" : allowed.join(", ")
      return [violation(found, `${from} must not import ${name} (it may import ${list})`)]
    }
    const folder = / \((\S+) only\)$/.exec(arrow)?.[1]
    if (folder !== undefined && !found.file.startsWith(`packages/${from}/${folder}/`)) {
      return [violation(found, `${from} may import ${name} only from ${folder}`)]
    }
    return []
  })

const wrongWays = (repository) =>
  resolved(repository, [...repository.imports.keys()]).flatMap((found) => {
    const { file, specifier, to } = found
    if (to.kind === "outside" && packageOf(to.path) !== undefined) {
      return [violation(found, `reaches into ${to.path}; import the package by its name`)]
    }
    if (to.kind === "outside" && isSource(file)) {
      return [violation(found, `reaches out of its package, to ${to.path}`)]
    }
    if (to.kind === "unexported") {
      return [violation(found, `${specifier} is private: ${to.why}`)]
    }
    if (to.kind === "unresolved" && isSource(file)) {
      return [violation(found, `${specifier} leads nowhere: ${to.why}`)]
    }
    if (to.kind === "package" && to.name === packageOf(file) && isSource(file)) {
      return [violation(found, "imports its own package by name; use a relative path")]
    }
    return []
  })

const barrels = (repository) =>
  resolved(repository, [...repository.imports.keys()])
    .filter(({ specifier }) => repository.table.barrels.includes(specifier))
    .map((found) => violation(found, `imports all of ${found.specifier}; import the module`))

/** The files that a browser would load from an entry, each with the imports on the way to it. */
const browserFiles = (repository, entry) => {
  const ways = new Map([[entry, [entry]]])
  for (const [file, way] of ways) {
    if (!repository.imports.has(file)) continue
    for (const { to } of resolved(repository, [file], "browser")) {
      if (to.path !== undefined && !ways.has(to.path)) ways.set(to.path, [...way, to.path])
    }
  }
  return ways
}

const browser = (repository) =>
  repository.table.browserEntries.flatMap((name) => {
    const entry = `packages/${name}/src/index.ts`
    if (!repository.imports.has(entry)) {
      return [{ file: entry, line: 1, message: "is missing, or is not TypeScript" }]
    }
    return [...browserFiles(repository, entry)].flatMap(([file, way]) =>
      resolved(repository, repository.imports.has(file) ? [file] : [], "browser")
        .filter(
          ({ to }) =>
            to.kind === "builtin" ||
            (to.kind === "external" && repository.table.nodeOnly.includes(to.name)),
        )
        .map((found) =>
          violation(
            found,
            `${found.specifier} is reached by the browser entry of ${name}: ${way.join(" → ")}`,
          ),
        ),
    )
  })

const cycles = (repository) => {
  const fileGraph = new Map(repository.sources.map((file) => [file, new Set()]))
  const packageGraph = new Map([...repository.manifests.keys()].map((name) => [name, new Set()]))
  for (const platform of ["node", "browser"]) {
    for (const { file, to } of resolved(repository, repository.sources, platform)) {
      if (to.path !== undefined && to.kind !== "outside") fileGraph.get(file).add(to.path)
      if (to.kind === "package" && to.name !== packageOf(file)) {
        packageGraph.get(packageOf(file))?.add(to.name)
      }
    }
  }
  const closed = (cycle) => [...cycle, cycle[0]].join(" → ")
  return [
    ...findCycles(fileGraph).map((cycle) => ({
      file: cycle[0],
      line: 1,
      message: `is in an import cycle: ${closed(cycle)}`,
    })),
    ...findCycles(packageGraph).map((cycle) => ({
      file: `packages/${cycle[0]}/package.json`,
      line: 1,
      message: `is in a cycle of packages: ${closed(cycle)}`,
    })),
  ]
}

const importedPackage = ({ to }) => {
  if (to.kind === "external") return to.name
  return to.kind === "package" || to.kind === "unexported" ? `@entente/${to.name}` : undefined
}

const dependencies = (repository) =>
  [...repository.manifests].flatMap(([name, manifest]) => {
    const own = repository.sources.filter((file) => packageOf(file) === name)
    if (own.length === 0) return []
    const declared = Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    })
    // Both platforms: a package may be needed on one side of an `imports` map only.
    const found = [
      ...resolved(repository, own, "node"),
      ...resolved(repository, own, "browser"),
    ].filter((each) => importedPackage(each) !== undefined)
    const used = new Set(found.map(importedPackage))
    const missing = found
      .filter((each) => !declared.includes(importedPackage(each)))
      .filter((each) => importedPackage(each) !== manifest.name)
      .map((each) => violation(each, `${importedPackage(each)} is no dependency of ${name}`))
    const unused = declared
      .filter((dependency) => !used.has(dependency))
      .map((dependency) => ({
        file: `packages/${name}/package.json`,
        line: 1,
        message: `depends on ${dependency}, which src never imports`,
      }))
    return [...missing, ...unused]
  })

const architecture = ({ files, table }) =>
  architectureViolations(files.get("docs/architecture.md"), table.arrows)

const rules = [arrows, wrongWays, barrels, browser, cycles, dependencies, architecture]

/**
 * Every violation in a map of paths to texts: `{ file, line, message }`, each once, in the order of
 * the rules. Pure: reads nothing but its arguments.
 */
export const findViolations = (files, table) => {
  const repository = readRepository(files, table)
  const found = rules.flatMap((rule) => rule(repository))
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()]
}
