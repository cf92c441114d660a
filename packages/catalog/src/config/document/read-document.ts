import { readJson, type JsonLeniency } from "./json-document.js"
import { GivenUp, limits, type ConfigDocument, type Trouble } from "./node.js"
import { readToml } from "./toml-document.js"
import { readYaml } from "./yaml-document.js"

/** How a client writes its file down. */
export type FileFormat =
  | ({ readonly kind: "json" } & JsonLeniency)
  | { readonly kind: "toml" }
  | { readonly kind: "yaml" }

const refused = (trouble: Trouble): ConfigDocument => ({ root: undefined, troubles: [trouble] })

const byteOrderMark = "\ufeff"

/** Reads a text in one of the formats; whatever it holds, nothing is thrown. */
export const readDocument = (text: string, format: FileFormat): ConfigDocument => {
  if (text.length > limits.bytes || new TextEncoder().encode(text).length > limits.bytes) {
    const detail = `larger than ${limits.bytes / 1024 / 1024} MiB`
    return refused({ code: "too-large", pointer: "", position: undefined, detail })
  }
  const plain = text.startsWith(byteOrderMark) ? text.slice(1) : text
  try {
    switch (format.kind) {
      case "json":
        return readJson(plain, format)
      case "toml":
        return readToml(plain)
      case "yaml":
        return readYaml(plain)
    }
  } catch (error) {
    if (error instanceof GivenUp) return refused(error.trouble)
    // A parser that fails in a way of its own; what it says may quote the file.
    const detail = error instanceof RangeError ? "it is too deep or too long" : "it cannot be read"
    return refused({ code: "syntax-error", pointer: "", position: undefined, detail })
  }
}
