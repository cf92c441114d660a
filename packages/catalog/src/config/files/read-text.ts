import { closeSync, fstatSync, openSync, readFileSync } from "node:fs"
import { limits } from "../document/node.js"

/** Why a file cannot be read, in one sentence without its content. */
export class UnreadableFile extends Error {
  readonly _tag = "UnreadableFile"
}

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  switch (code) {
    case "ENOENT":
      return "there is no such file"
    case "EACCES":
    case "EPERM":
      return "it may not be read"
    case "EISDIR":
      return "it is a directory"
    default:
      return code === "" ? "it cannot be read" : `it cannot be read (${code})`
  }
}

/** The text of a file, if it is one, and no longer than a configuration can be. Throws `UnreadableFile`. */
export const readText = (path: string): string => {
  try {
    const file = openSync(path, "r")
    try {
      const stats = fstatSync(file)
      // A pipe or a device might never end.
      if (!stats.isFile()) throw new UnreadableFile("it is no file")
      if (stats.size > limits.bytes) {
        throw new UnreadableFile(`it is larger than ${limits.bytes / 1024 / 1024} MiB`)
      }
      return readFileSync(file, "utf8")
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile(reasonOf(error), { cause: error })
  }
}
