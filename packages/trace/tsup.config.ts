import { config } from "../../tsup.config.js"

export default config({ entry: ["src/file.ts", "src/index.ts"] })
