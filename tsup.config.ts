import { defineConfig, type Options } from "tsup"

/**
 * Shared by every package. JavaScript and source maps come from tsup; declarations come from the
 * TypeScript 7 compiler (`tsc -p tsconfig.build.json`), which is five times faster than tsup's own.
 */
export const config = (options: Options): ReturnType<typeof defineConfig> =>
  defineConfig({
    format: ["esm"],
    target: "node20",
    platform: "neutral",
    sourcemap: true,
    clean: true,
    treeshake: true,
    splitting: true,
    dts: false,
    removeNodeProtocol: false,
    external: [/^node:/, /^#/],
    ...options,
  })

/** One file with everything in it, for programs that are to start fast or to be copied. */
export const singleFile = (options: Options): ReturnType<typeof defineConfig> =>
  defineConfig({
    format: ["esm"],
    target: "node20",
    platform: "node",
    noExternal: [/.*/],
    removeNodeProtocol: false,
    splitting: false,
    sourcemap: false, // seven times the size of the file itself
    clean: false, // the package's other config has just written there
    esbuildOptions: (options) => {
      // Some packages name an UMD file as their main one, and an UMD file cannot be bundled.
      options.mainFields = ["module", "main"]
    },
    // Some dependencies are CommonJS and ask for Node's own modules by `require`.
    banner: {
      js: 'import { createRequire } from "node:module"\nconst require = createRequire(import.meta.url)',
    },
    ...options,
  })
