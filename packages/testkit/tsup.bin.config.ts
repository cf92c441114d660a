import { defineConfig } from "tsup"

/** The command: one file with everything in it, so that it starts fast and can be copied. */
export default defineConfig({
  entry: { main: "src/command/main.ts" },
  format: ["esm"],
  target: "node20",
  platform: "node",
  noExternal: [/.*/],
  external: ["bufferutil", "utf-8-validate"], // `ws` works without them
  removeNodeProtocol: false,
  splitting: false,
  sourcemap: false,
  clean: false, // the other config has just written here
  // Some dependencies are CommonJS and ask for Node's own modules by `require`.
  banner: {
    js: 'import { createRequire } from "node:module"\nconst require = createRequire(import.meta.url)',
  },
})
