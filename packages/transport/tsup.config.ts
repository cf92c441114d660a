import { config } from "../../tsup.config.js"

// The engines are entries of their own: `#http-engine` and `#websocket` in package.json choose between
// their files.
export default config({
  entry: [
    "src/index.ts",
    "src/stdio/index.ts",
    "src/socket/index.ts",
    "src/tapping.ts",
    "src/http/engine/undici-engine.ts",
    "src/http/engine/fetch-engine.ts",
    "src/websocket/node-socket.ts",
    "src/websocket/platform-socket.ts",
  ],
})
