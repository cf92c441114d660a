import { defineConfig } from "tsup"

/** `@entente/client/standalone`: one file with everything in it. */
export default defineConfig({
  entry: ["src/standalone.ts"],
  format: ["esm"],
  target: "node20",
  platform: "node",
  noExternal: [/.*/],
  removeNodeProtocol: false,
  splitting: false,
  treeshake: true,
  sourcemap: false, // seven times the size of the file itself
  dts: false,
  clean: false, // the other config has just written here
  // Some dependencies are CommonJS and ask for Node's own modules by `require`.
  banner: {
    js: 'import { createRequire } from "node:module"\nconst require = createRequire(import.meta.url)',
  },
})
