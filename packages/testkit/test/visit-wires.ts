import { spawn } from "node:child_process"
import { WebSocket } from "ws"
import type { MisbehaviourTarget } from "../src/node.js"
import { post } from "./raw-clients.js"
import type { Transcript } from "./transcript.js"

export interface Sending {
  /** HTTP headers; others ignore them. */
  readonly headers?: Record<string, string>
}

/** A way to a server without any sense of the protocol: it writes down what comes. */
export interface Wire {
  /** Sends one message; resolves when nothing can come for it any more. */
  readonly send: (message: unknown, sending?: Sending) => Promise<unknown>
  /** HTTP: one request without a body. */
  readonly fetch?: (method: string, headers: Record<string, string>) => Promise<unknown>
  /** The headers of the last response with a session. */
  readonly session: () => string | undefined
  readonly end: () => void
  readonly kill: (signal: NodeJS.Signals) => void
}

type Hear = (message: unknown) => void

const tryJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const stdio = (
  { command, args }: Extract<MisbehaviourTarget, { kind: "stdio" }>,
  { log, begin }: Transcript,
  hear: Hear,
): Wire => {
  const child = spawn(command, args)
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let rest: Array<string> = []
  child.stdout.on("data", (chunk: Buffer) => {
    const [first = "", ...more] = decoder.decode(chunk, { stream: true }).split("\n")
    rest.push(first)
    for (const begun of more) {
      const line = rest.join("")
      rest = [begun]
      log(`< ${line}`)
      hear(tryJson(line.replace(/^\uFEFF/, "")))
    }
    const length = rest.reduce((sum, part) => sum + part.length, 0)
    if (length >= 20_000_000) log(`+ unfinished ${length}`)
    else if (more.length < 9 && length > 0 && length < 1_000) log(`+ unfinished ${rest.join("")}`)
  })
  let stderr: { readonly add: (text: string) => void } | undefined
  child.stderr.on("data", (chunk: Buffer) => {
    stderr ??= begin("stderr: ")
    stderr.add(chunk.toString())
  })
  child.stdin.on("error", () => {})
  const closed = new Promise<void>((resolve) =>
    child.on("close", (code, signal) => {
      if (rest.some((part) => part !== "")) log(`< unfinished ${rest.join("")}`)
      log(`exit ${code} ${signal}`)
      resolve()
    }),
  )
  return {
    send: (message) => {
      child.stdin.write(`${JSON.stringify(message)}\n`)
      return closed
    },
    session: () => undefined,
    end: () => void child.stdin.end(),
    kill: (signal) => void child.kill(signal),
  }
}

const webSocket = (url: string, { log }: Transcript, hear: Hear): Wire => {
  const socket = new WebSocket(url, ["mcp"])
  const opened = new Promise<void>((resolve) => socket.on("open", resolve))
  socket.on("open", () => log(`open ${socket.protocol}`))
  socket.on("error", (error) => log(`failed ${error.message}`))
  socket.on("message", (bytes: Buffer, isBinary) => {
    log(isBinary ? `< binary ${bytes.toString("base64")}` : `< ${bytes.toString()}`)
    if (!isBinary) hear(tryJson(bytes.toString()))
  })
  const closed = new Promise<void>((resolve) =>
    socket.on("close", (code, reason) => {
      log(`closed ${code} ${reason.toString()}`)
      resolve()
    }),
  )
  return {
    send: async (message) => {
      await Promise.race([opened, closed])
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
      return closed
    },
    session: () => undefined,
    end: () => socket.close(),
    kill: () => socket.terminate(),
  }
}

/** Reads a body to its end, and the messages in it, be they JSON or events. */
const read = async (
  what: string,
  responding: Promise<Response>,
  transcript: Transcript,
  hear: Hear,
  onEvent: (name: string, data: string, id: string | undefined) => void = () => {},
): Promise<Response | undefined> => {
  let response: Response
  try {
    response = await responding
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
    transcript.log(`${what} failed ${code}`)
    return undefined
  }
  const location = response.headers.get("location")
  const type = response.headers.get("content-type")
  const session = response.headers.get("mcp-session-id")
  const entry = transcript.begin(
    `${what} ${response.status} ${type ?? "-"}` +
      `${location === null ? "" : ` → ${location}`}${session === null ? "" : ` session=${session}`} `,
  )
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const whole: Array<string> = []
  let rest: Array<string> = []
  const stream = type?.startsWith("text/event-stream") ?? false
  try {
    for await (const chunk of response.body ?? []) {
      const text = decoder.decode(chunk, { stream: true })
      entry.add(text)
      if (stream) {
        rest.push(text)
        if (!/[\r\n]/.test(text)) continue
        const blocks = rest
          .join("")
          .replace(/^\uFEFF/, "")
          .split(/(?:\r\n|\r|\n){2}/)
        rest = [blocks.pop() ?? ""]
        for (const block of blocks) {
          const lines = block.split(/\r\n|\r|\n/)
          const valuesOf = (name: string): ReadonlyArray<string> =>
            lines.flatMap((line) => new RegExp(`^${name}: ?(.*)$`).exec(line)?.[1] ?? [])
          const data = valuesOf("data").join("\n")
          onEvent(valuesOf("event")[0] ?? "message", data, valuesOf("id")[0])
          hear(tryJson(data))
        }
      } else whole.push(text)
    }
    hear(tryJson(whole.join("")))
    entry.add(" ¶end")
  } catch {
    entry.add(" ¶cut")
  }
  return response
}

const nameOf = (message: unknown): string => {
  const { method } = message as { readonly method?: string } // the tests' own messages
  return `POST ${method ?? "reply"}`
}

const http = (url: string, transcript: Transcript, hear: Hear): Wire => {
  let session: string | undefined
  const leave = new AbortController()
  const exchange = async (
    what: string,
    responding: Promise<Response>,
    resumes: boolean,
    headers: Record<string, string>,
  ): Promise<unknown> => {
    let lastId: string | undefined
    let answered = false
    const response = await read(
      what,
      responding,
      transcript,
      (message) => {
        const { id } = (message ?? {}) as { readonly id?: unknown } // whatever was in the body
        answered ||= id !== undefined
        hear(message)
      },
      (_, __, id) => (lastId = id ?? lastId),
    )
    session = response?.headers.get("mcp-session-id") ?? session
    if (!resumes || lastId === undefined || answered) return response
    return resume(lastId, headers, 3)
  }
  const get = (headers: Record<string, string>): Promise<Response> =>
    fetch(url, {
      redirect: "manual",
      headers: { accept: "text/event-stream", ...headers },
      signal: leave.signal,
    })
  const resume = async (
    lastId: string,
    headers: Record<string, string>,
    times: number,
  ): Promise<unknown> => {
    let answered = false
    const response = await read(
      `GET ${lastId}`,
      get({ ...headers, "last-event-id": lastId }),
      transcript,
      (message) => {
        answered ||= message !== undefined
        hear(message)
      },
    )
    return answered || times === 1 || response?.ok !== true
      ? response
      : resume(lastId, headers, times - 1)
  }
  return {
    send: (message, { headers = {} } = {}) =>
      exchange(
        nameOf(message),
        post(url, message, headers, leave.signal),
        nameOf(message) === "POST tools/call",
        headers,
      ),
    fetch: (method, headers) =>
      method === "GET"
        ? exchange("GET", get(headers), false, headers)
        : exchange(method, fetch(url, { method, headers, signal: leave.signal }), false, headers),
    session: () => session,
    end: () => leave.abort(),
    kill: () => leave.abort(),
  }
}

const httpSse = (url: string, transcript: Transcript, hear: Hear): Wire => {
  const leave = new AbortController()
  let found: (address: string) => void = () => {}
  const address = new Promise<string>((resolve) => (found = resolve))
  const stream = read(
    "GET",
    fetch(url, { headers: { accept: "text/event-stream" }, signal: leave.signal }),
    transcript,
    hear,
    (name, data) => {
      if (name === "endpoint") found(data)
    },
  )
  const say = async (message: unknown): Promise<void> => {
    const to = new URL(await address, url)
    if (to.host !== new URL(url).host) return transcript.log(`not posted to ${to.href}`)
    const response = await read(
      nameOf(message),
      post(to.href, message, {}, leave.signal),
      transcript,
      () => {},
    )
    const prefix = new URL(url).pathname.replace(/\/v1\/sse$/, "")
    if (response?.status === 404 && prefix !== "" && !to.pathname.startsWith(prefix)) {
      const there = new URL(prefix + to.pathname + to.search, url).href
      await read(`${nameOf(message)} again`, post(there, message), transcript, () => {})
    }
  }
  return {
    send: (message) => {
      void say(message)
      return stream
    },
    session: () => undefined,
    end: () => leave.abort(),
    kill: () => leave.abort(),
  }
}

export const openWire = (target: MisbehaviourTarget, transcript: Transcript, hear: Hear): Wire => {
  if (target.kind === "stdio") return stdio(target, transcript, hear)
  return { http, sse: httpSse, ws: webSocket }[target.kind](target.url, transcript, hear)
}
