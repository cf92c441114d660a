import { config } from "../../tsup.config.js"

/** The programmatic entry; it uses the packages beside it. The command itself has a config of its own. */
export default config({ entry: ["src/index.ts"], platform: "node" })
