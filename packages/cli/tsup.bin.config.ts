import { singleFile } from "../../tsup.config.js"

// The command. Its parts are still loaded lazily, because a bundled `import()` runs its module only
// when it is called.
export default singleFile({ entry: ["src/main.ts"] })
