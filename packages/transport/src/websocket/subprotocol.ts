import { explain, InvalidInput, ProtocolViolation, type Note } from "@entente/protocol"

/** Gives the subprotocols to offer; asked before every handshake, so that a token in them is fresh. */
export type SubprotocolSupplier = () => ReadonlyArray<string> | Promise<ReadonlyArray<string>>

/** The convention of the official SDK's first version (V25-CUST-03). */
export const defaultSubprotocols: ReadonlyArray<string> = ["mcp"]

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * The subprotocols, if they can be offered. An entry may be a secret, so that an error says which it is
 * and never what it says.
 */
export const checkedSubprotocols = (
  offered: ReadonlyArray<string>,
  target: string,
): ReadonlyArray<string> => {
  const wrong = offered.findIndex((entry, at) => !token.test(entry) || offered.indexOf(entry) < at)
  if (wrong < 0) return offered
  const what = `Subprotocol ${wrong + 1} of ${offered.length} is there twice, or is no token.`
  const hint = "Letters, digits and !#$%&'*+-.^_`|~ may be in it; base64url fits, base64 does not."
  throw new InvalidInput(explain("invalid-input", "input", target, what, hint))
}

/** What to say of the subprotocol that a server selected; nothing where it is the one asked for. */
export const judgeSubprotocol = (
  selected: string,
  offered: ReadonlyArray<string>,
  target: string,
): Note | ProtocolViolation | undefined => {
  const [wanted = ""] = offered
  if (selected === wanted) return undefined
  if (selected === "") {
    return { code: "subprotocol-missing", detail: `${wanted} was offered, nothing selected` }
  }
  // A further entry may be a token, so it is not repeated.
  const chosen = offered.includes(selected)
    ? `entry ${offered.indexOf(selected) + 1} of the subprotocols offered`
    : `the subprotocol ${JSON.stringify(selected.slice(0, 50))}`
  const asked = wanted === "" ? "none was offered" : `${wanted} was asked for`
  const what = `The server selected ${chosen}, although ${asked}.`
  const hint = "Check that this is the MCP endpoint; the option subprotocols says what is offered."
  return new ProtocolViolation(explain("unexpected-content", "open", target, what, hint))
}
