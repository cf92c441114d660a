import { singleFile } from "../../tsup.config.js"

/** `@entente/client/standalone`. */
export default singleFile({ entry: ["src/standalone.ts"], treeshake: true, dts: false })
