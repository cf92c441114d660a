import { singleFile } from "../../tsup.config.js"

/** The command. */
export default singleFile({
  entry: { main: "src/command/main.ts" },
  external: ["bufferutil", "utf-8-validate"], // `ws` works without them
})
