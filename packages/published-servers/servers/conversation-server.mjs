// A server on the official SDK 2.4 whose tools ask, report and wait: `stdio`, or `http` on a port the system gives
// (printed on stdout). Written once for both eras; how its questions travel is the SDK's and the client's business.
import { createServer } from "node:http"
import {
  McpServer,
  acceptedContent,
  createMcpHandler,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { toNodeHandler } from "@modelcontextprotocol/node"
import { z } from "zod"

const text = (words) => ({ content: [{ type: "text", text: words }] })

const Slot = z.object({ slot: z.enum(["am", "pm"]), guests: z.number().int().default(2) })

const questions = {
  slot: () => inputRequired.elicit({ message: "Which slot?", requestedSchema: Slot }),
  pay: () => inputRequired.elicitUrl({ message: "Pay the fee", url: "https://pay.example/81" }),
  poem: () =>
    inputRequired.createMessage({
      messages: [{ role: "user", content: { type: "text", text: "A line about rain" } }],
      maxTokens: 20,
    }),
  roots: () => inputRequired.listRoots(),
}

const makeServer = () => {
  const server = new McpServer({ name: "conversation-server", version: "1.0.0" })

  server.registerTool("book", { description: "Books a table" }, (ctx) => {
    const { inputResponses } = ctx.mcpReq
    const form = inputResponse(inputResponses, "slot")
    if (form.kind === "missing") {
      return inputRequired({
        inputRequests: { slot: questions.slot() },
        requestState: "step 1 “é”",
      })
    }
    const slot = acceptedContent(inputResponses, "slot", Slot)
    return text(
      slot === undefined ? `not booked: ${form.action}` : `booked: ${slot.slot} for ${slot.guests}`,
    )
  })

  server.registerTool("pay", { description: "Asks for a page to be opened" }, (ctx) => {
    const paid = inputResponse(ctx.mcpReq.inputResponses, "pay")
    if (paid.kind === "missing") return inputRequired({ inputRequests: { pay: questions.pay() } })
    return text(`payment: ${paid.action}`)
  })

  server.registerTool("research", { description: "Asks for several things at once" }, (ctx) => {
    const { inputResponses } = ctx.mcpReq
    const poem = inputResponse(inputResponses, "poem")
    const roots = inputResponse(inputResponses, "roots")
    if (poem.kind !== "sampling" || roots.kind !== "roots") {
      return inputRequired({ inputRequests: { poem: questions.poem(), roots: questions.roots() } })
    }
    return text(`${poem.result.content.text} / ${roots.roots.map(({ uri }) => uri).join(" ")}`)
  })

  server.registerTool("count", { description: "Reports its progress" }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken
    for (const progress of [1, 2, 3]) {
      await ctx.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 3, message: `step ${progress}` },
      })
    }
    return text("counted")
  })

  server.registerTool("wait", { description: "Waits until it is cancelled" }, async (ctx) => {
    await new Promise((resolve) => ctx.mcpReq.signal.addEventListener("abort", resolve))
    process.stderr.write("cancelled\n")
    return text("cancelled")
  })
  return server
}

if (process.argv[2] === "stdio") {
  serveStdio(makeServer)
} else {
  const server = createServer(toNodeHandler(createMcpHandler(makeServer)))
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
}
