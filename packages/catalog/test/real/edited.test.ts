import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { describe, expect, it } from "vitest"
import { openCatalog, type PromiseCatalog, type ToolsChange } from "@entente/catalog"
import { memoryVerdicts } from "@entente/client"
import { http, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { standing } from "../server/peers.js"
import { editor } from "./editor.js"
import { own } from "@entente/published-servers"

const eras = { legacy: "2025-11-25", modern: "2026-07-28" } as const
type Era = keyof typeof eras

/** An HTTP server of its own process, which ends with its editor. */
const served = async (port: number, era: Era): Promise<Transport> => {
  const { command, args } = own("edited-server.mjs", String(port), `http-${era}`)
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = await new Promise<Array<string>>((resolve) => {
    createInterface({ input: child.stdout }).once("line", (line) => resolve([line]))
  })
  return http(`http://127.0.0.1:${line}/mcp`)
}

const ways = {
  stdio: async (port: number) => stdio(own("edited-server.mjs", String(port), "stdio")),
  http: served,
} as const

/** The next change of the tools, and when it was heard. */
const heard = async (
  catalog: PromiseCatalog,
): Promise<{ readonly change: ToolsChange; readonly at: number }> => {
  for await (const change of catalog.changes) {
    if (change.kind === "tools") return { change, at: Date.now() }
  }
  throw new Error("The catalog has ended")
}

/** Waits until the server would be heard, so that the first edit is no race with the connection. */
const listening = async (catalog: PromiseCatalog): Promise<void> => {
  const client = catalog.server("edited")?.client
  if (client === undefined) throw new Error("not connected")
  if (client.listening === "open") return
  await new Promise<void>((resolve) => {
    const stop = client.onListening((state) => {
      if (state !== "open") return
      stop()
      resolve()
    })
  })
}

describe.each(["legacy", "modern"] as const)(
  "a tool that is edited on a running %s server",
  (era) => {
    it.each(["stdio", "http"] as const)(
      "V25-LIST-01 V26-SUB-01 over %s is seen in the catalog, and how soon is printed",
      async (way) => {
        await using somebody = await editor()
        const transport = await ways[way](somebody.port, era)
        const mode = era === "legacy" ? "legacy" : "modern"
        await using catalog = await openCatalog({
          edited: { transport, connect: { mode, verdicts: memoryVerdicts(), probeMs: 30_000 } },
        })
        const { status } = catalog.server("edited") ?? {}
        expect(status).toMatchObject({ era, protocolVersion: eras[era], counts: { exposed: 2 } })
        await listening(catalog)
        // What was listed before the server could be heard is read once more.
        await standing(catalog, "edited", "live")
        const seen: Array<readonly [string, number]> = []
        const after = async (what: "update" | "add" | "remove"): Promise<ToolsChange> => {
          const told = heard(catalog)
          const editedAt = await somebody.edit(what)
          const { change, at } = await told
          seen.push([what, at - editedAt])
          return change
        }
        expect(await after("update")).toMatchObject({
          added: [],
          removed: [],
          changed: [{ id: "edited__greet", members: ["description"] }],
        })
        expect(await after("add")).toMatchObject({ added: [{ id: "edited__wave" }] })
        expect(await after("remove")).toMatchObject({ removed: [{ id: "edited__leave" }] })
        expect(catalog.tools.tools.map(({ id }) => id)).toEqual(["edited__greet", "edited__wave"])
        expect((await catalog.call("edited__wave")).content).toMatchObject([{ text: "Good day." }])
        const shown = seen.map(([what, ms]) => `${what} ${ms} ms`).join(", ")
        // No test fails because the machine is slow: the pauses of the chart are tested on a clock of their own.
        process.stdout.write(`edited over ${way}, ${era}: ${shown}\n`)
      },
    )
  },
)
