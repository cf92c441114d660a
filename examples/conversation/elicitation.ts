import { connect, type ConnectOptions } from "@entente/client"
import type { Transport } from "@entente/transport"

/** Asks a person. Fields that are left out get the defaults of the form; what is sent fits the form. */
const handlers: NonNullable<ConnectOptions["handlers"]> = {
  elicitation: {
    form: async ({ message }, { server, era }) => {
      console.log(`${server} (${era}) asks: ${message}`)
      return { action: "accept", content: { slot: "morning" } }
    },
  },
}

/**
 * Books a table. A legacy server asks with a request of its own, a modern one answers with `input_required` and is
 * called again: the handler is the same, and so is this call.
 */
export const book = async (target: string | Transport, options: ConnectOptions = {}) => {
  await using client = await connect(target, { ...options, handlers })
  const { content } = await client.callTool({ name: "book" })
  for (const block of content) if (block.type === "text") console.log(block["text"])
}
