import { config } from "../../tsup.config.js"

export default config({ entry: ["src/index.ts", "src/tap/index.ts"] })
