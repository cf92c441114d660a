// The floor: the same work with no client. Newline JSON over a child's pipes, or bare POSTs over
// kept-alive sockets; a request is a map entry and a write.
import { spawn } from "node:child_process"
import { Agent, request } from "node:http"
import { callsWith } from "../workloads.mjs"

const initialize = {
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "floor", version: "1.0.0" },
  },
}

const overStdio = ({ command, args }) => {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] })
  const waiting = new Map()
  let nextId = 1
  let rest = ""
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop()
    for (const line of lines) {
      const { id, result } = JSON.parse(line)
      waiting.get(id)(result)
      waiting.delete(id)
    }
  })
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  return {
    ask: (message) =>
      new Promise((resolve) => {
        const id = nextId++
        waiting.set(id, resolve)
        send({ id, ...message })
      }),
    tell: send,
    close: () => child.stdin.end(),
  }
}

const overHttp = ({ url }) => {
  const agent = new Agent({ keepAlive: true })
  const post = (message) =>
    new Promise((resolve, reject) => {
      const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }))
      const headers = {
        "content-type": "application/json",
        "content-length": body.length,
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
      }
      const sent = request(url, { method: "POST", agent, headers }, (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk) => (text += chunk))
        response.on("end", () => resolve(text === "" ? undefined : JSON.parse(text).result))
      })
      sent.on("error", reject)
      sent.end(body)
    })
  let nextId = 1
  return {
    ask: (message) => post({ id: nextId++, ...message }),
    tell: post,
    close: () => agent.destroy(),
  }
}

/** A contestant over two functions: `ask` sends a request, `tell` a notification. */
export const openWith = async ({ ask, tell, close }) => {
  await ask(initialize)
  await tell({ method: "notifications/initialized" })
  const call = async (n) => {
    const result = await ask({
      method: "tools/call",
      params: { name: "tool-00000", arguments: { n } },
    })
    return result.content[0].text
  }
  const list = async () => {
    const tools = []
    let cursor
    do {
      const params = cursor === undefined ? {} : { cursor }
      const result = await ask({ method: "tools/list", params })
      tools.push(...result.tools)
      cursor = result.nextCursor
    } while (cursor !== undefined)
    return tools
  }
  return { calls: callsWith(call), list, close }
}

export const open = (target) =>
  openWith(target.transport === "stdio" ? overStdio(target) : overHttp(target))
