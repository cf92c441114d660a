// Size of what a browser has to load.
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

// The esbuild that tsup builds the packages with.
const { build } = createRequire(createRequire(import.meta.url).resolve("tsup"))("esbuild")

// A package that depends on both clients.
const resolveDir = fileURLToPath(new URL("../../packages/bench", import.meta.url))

/** Bytes of a module, bundled with everything it imports for a browser, minified and gzipped. */
export const bundleSize = async (contents) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    write: false,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    logLevel: "error",
  })
  return gzipSync(outputFiles[0].contents, { level: 9 }).length
}
