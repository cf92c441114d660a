import { defineConfig } from "tsup"

/**
 * The command: one file with everything in it, so that it starts fast and can be copied. Commands are
 * still loaded lazily, because a bundled `import()` runs its module only when it is called.
 */
export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  target: "node20",
  platform: "node",
  noExternal: [/.*/],
  removeNodeProtocol: false,
  splitting: false,
  sourcemap: false,
  clean: false, // the other config has just written here
  // Some dependencies are CommonJS and ask for Node's own modules by `require`.
  banner: {
    js: 'import { createRequire } from "node:module"\nconst require = createRequire(import.meta.url)',
  },
})
