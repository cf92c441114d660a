import { config } from "../../tsup.config.js"

// The engines are entries of their own: `#http-engine` in package.json chooses between their files.
export default config({
  entry: [
    "src/index.ts",
    "src/stdio/index.ts",
    "src/streamable-http/undici-engine.ts",
    "src/streamable-http/fetch-engine.ts",
  ],
})
