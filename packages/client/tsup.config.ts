import { config } from "../../tsup.config.js"

export default config({ entry: ["src/file-results.ts", "src/index.ts"] })
