import { explain, InvalidInput, type JsonRpcMessage } from "@entente/protocol"

/**
 * The JSON text of a message, on one line: JSON escapes every line feed inside it (V25-STDIO-03,
 * V26-STDIO-01). Gives an error where the caller's part has no JSON form: a cycle, a big integer, or
 * a `toJSON` that throws.
 */
export const encodeMessage = (message: JsonRpcMessage, target: string): string | InvalidInput => {
  try {
    return JSON.stringify(message)
  } catch (cause) {
    const what = "The message cannot be written as JSON: it has a cycle, a big integer or the like."
    return new InvalidInput({ ...explain("invalid-input", "request", target, what), cause })
  }
}
