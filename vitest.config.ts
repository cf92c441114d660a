import { defineConfig } from "vitest/config"

const source = { conditions: ["@entente/source", "node", "import", "default"] }

export default defineConfig({
  ssr: { resolve: source },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          // A busy machine is slow, not wrong: no test measures time, so none needs to be hurried.
          testTimeout: 30_000,
          include: ["packages/*/test/**/*.test.ts", "examples/*/*.test.ts"],
          exclude: ["packages/*/test/real/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "real",
          include: ["packages/*/test/real/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
