// A server on the official SDK, over stdio, in both eras: `book` asks which slot is wanted, `bake` takes its time.
import { McpServer, acceptedContent, inputRequired } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { z } from "zod"

const Slot = z.object({ slot: z.enum(["morning", "afternoon"]), guests: z.number().default(2) })

const text = (words) => ({ content: [{ type: "text", text: words }] })

serveStdio(() => {
  const server = new McpServer({ name: "restaurant", version: "1.0.0" })

  server.registerTool("book", { description: "Books a table" }, (ctx) => {
    const wanted = acceptedContent(ctx.mcpReq.inputResponses, "slot", Slot)
    if (wanted !== undefined) return text(`A table for ${wanted.guests} in the ${wanted.slot}.`)
    const slot = inputRequired.elicit({ message: "When will you come?", requestedSchema: Slot })
    return inputRequired({ inputRequests: { slot } })
  })

  server.registerTool("bake", { description: "Bakes bread, loaf by loaf" }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken
    for (let loaf = 1; !ctx.mcpReq.signal.aborted; loaf++) {
      const params = { progressToken, progress: loaf, message: `loaf ${loaf}` }
      await ctx.mcpReq.notify({ method: "notifications/progress", params })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return text("The oven is off.")
  })
  return server
})
