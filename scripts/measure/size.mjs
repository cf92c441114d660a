// Size of what a browser has to load.
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

// The esbuild that tsup builds the packages with.
const { build } = createRequire(createRequire(import.meta.url).resolve("tsup"))("esbuild")

// A package that depends on both clients.
const resolveDir = fileURLToPath(new URL("../../packages/bench", import.meta.url))

/** The files that one of them loads by itself, without what is imported on first use. */
const loaded = (outputs, entry, seen = new Set()) => {
  if (seen.has(entry)) return seen
  seen.add(entry)
  for (const { path, kind } of outputs[entry].imports) {
    if (kind === "import-statement") loaded(outputs, path, seen)
  }
  return seen
}

/**
 * Bytes of a module, bundled with everything it imports for a browser, minified and gzipped file by file:
 * what is loaded at once, and what only on first use.
 */
export const bundleSize = async (contents) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: "bundle",
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    logLevel: "error",
  })
  const { outputs } = metafile
  const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint === "<stdin>")
  const atOnce = loaded(outputs, entry)
  const bytes = { atOnce: 0, onFirstUse: 0 }
  for (const { path, contents: code } of outputFiles) {
    const file = Object.keys(outputs).find((output) => path.endsWith(`/${output}`))
    bytes[atOnce.has(file) ? "atOnce" : "onFirstUse"] += gzipSync(code, { level: 9 }).length
  }
  return bytes
}
