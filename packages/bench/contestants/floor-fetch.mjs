// The floor for whoever uses `fetch`: the same bare POSTs, over HTTP only.
import { openWith } from "./floor.mjs"

const overFetch = ({ url }) => {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  }
  const post = async (message) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message })
    const text = await (await fetch(url, { method: "POST", headers, body })).text()
    return text === "" ? undefined : JSON.parse(text).result
  }
  let nextId = 1
  return {
    ask: (message) => post({ id: nextId++, ...message }),
    tell: post,
    close: () => {},
  }
}

export const open = (target) => openWith(overFetch(target))
