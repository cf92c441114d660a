import { config } from "../../tsup.config.js"

export default config({ entry: ["src/index.ts", "src/node.ts", "src/stdio-relay.js"] })
