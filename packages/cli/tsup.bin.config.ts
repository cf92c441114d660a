import { defineConfig, type Options } from "tsup"
import { singleFile } from "../../tsup.config.js"

/** Leaves one file out of the command, which then loads it from beside itself. */
const besides = (name: string): NonNullable<Options["esbuildPlugins"]>[number] => ({
  name: `beside: ${name}`,
  setup: ({ onResolve }) => {
    onResolve({ filter: new RegExp(`/${name}\\.js$`) }, ({ kind }) =>
      kind === "dynamic-import" ? { path: `./${name}.js`, external: true } : undefined,
    )
  },
})

// The command. Its parts are still loaded lazily, because a bundled `import()` runs its module only
// when it is called. The code that lays out pictures would make the file twice as large, and every start
// would read it.
export default defineConfig([
  singleFile({ entry: ["src/main.ts"], esbuildPlugins: [besides("pictures")] }) as Options, // an object, not a function
  singleFile({ entry: ["src/pictures.ts"], minifyWhitespace: true }) as Options, // likewise
])
