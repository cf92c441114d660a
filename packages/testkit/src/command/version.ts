import { readFileSync } from "node:fs"

/** The version of this package. The command is built into `dist`, beside the manifest's folder. */
export const version = (): string => {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  )
  const { version: found } = manifest as { readonly version: string } // npm demands it
  return found
}
