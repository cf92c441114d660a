import { config } from "../../tsup.config.js"

export default config({ entry: { index: "src/index.ts", "svg/index": "src/svg/index.ts" } })
