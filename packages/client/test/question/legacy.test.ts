import { describe, expect, it } from "vitest"
import type { JsonObject } from "@entente/protocol"
import type { ConnectOptions, Handlers, QuestionContext } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  request,
  withRules,
} from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { connected, noted, reasonOf } from "../field/connected.js"
import {
  answer,
  answers,
  answerTo,
  askingInACall,
  error,
  offers,
  result,
  server,
} from "./asking-server.js"
import { form, pending, root, said, sample } from "./registry.js"

const handlers: Handlers = {
  roots: [root],
  sampling: () => said,
  elicitation: { form: () => ({ action: "accept", content: { f: "x" } }) },
}
const text = { type: "string" }

const opened = (options: ConnectOptions = { handlers }) => {
  const peer = memoryPeer(server)
  return connected(peer.transport, { mode: "legacy", ...options }).then((client) => ({
    peer,
    client,
  }))
}

/** A handler that waits until the test answers for it. */
const slow = () => {
  const asked = pending<QuestionContext>()
  const answered = pending<typeof said>()
  const sampling: Handlers["sampling"] = (_, context) => {
    asked.resolve(context)
    return answered.promise
  }
  return { sampling, asked: asked.promise, settle: () => answered.resolve(said) }
}

describe("a legacy server that asks", () => {
  it("V26-DUAL-03 V26-DUAL-10 V25-ROOT-01 V25-SAMP-01 V25-ELI-01 gets its answers in the order they are ready", async () => {
    const { peer, client } = await opened()
    await using _ = client
    expect(await answerTo(peer, 0, "roots/list")).toEqual(result(0, { roots: [root] }))
    expect(await answerTo(peer, "s", "sampling/createMessage", sample())).toEqual(result("s", said))
    expect(await answerTo(peer, "e", "elicitation/create", form({ f: text }))).toEqual(
      result("e", { action: "accept", content: { f: "x" } }),
    )
  })

  it("V25-CAP-04 gets an error for what nobody answers, and the connection goes on", async () => {
    const { peer, client } = await opened({})
    await using _ = client
    for (const method of [
      "roots/list",
      "sampling/createMessage",
      "elicitation/create",
      "tasks/get",
    ]) {
      expect(await answerTo(peer, method, method, {})).toMatchObject(error(method, -32601))
    }
    expect((await client.tools.list()).status).toBe("complete")
  })

  it("V25-CAP-05 V25-CAP-06 V25-ELI-02 V25-SAMP-03 V25-ROOT-03 gets each refusal with its code", async () => {
    const { peer, client } = await opened({
      handlers: {
        ...handlers,
        roots: () => {
          throw new Error("/home/me is private")
        },
      },
    })
    await using _ = client
    const page = { mode: "url", message: "?", url: "https://a.example/", elicitationId: "e" }
    expect(await answerTo(peer, 1, "elicitation/create", page)).toMatchObject(error(1, -32602))
    const tools = { tools: [] }
    expect(await answerTo(peer, 2, "sampling/createMessage", sample(tools))).toMatchObject(
      error(2, -32602),
    )
    const nested = form({ f: { type: "object" } })
    expect(await answerTo(peer, 3, "elicitation/create", nested)).toMatchObject(error(3, -32602))
    const refused = await answerTo(peer, 4, "roots/list")
    expect(refused).toEqual({
      jsonrpc: "2.0",
      id: 4,
      error: { code: -32603, message: "This client could not answer" },
    })
    expect(noted(client)).toContain("question-refused")
  })

  it("tells the host of every refusal, with its cause", async () => {
    const cause = new Error("no model")
    const heard: Array<unknown> = []
    const { peer, client } = await opened({
      handlers: { sampling: () => Promise.reject(cause) },
      onQuestionRefused: (refused) => heard.push(refused),
    })
    await using _ = client
    await answerTo(peer, 1, "sampling/createMessage", sample())
    await answerTo(peer, 2, "roots/list")
    expect(heard).toMatchObject([
      { _tag: "QuestionRefused", kind: "handler-failed", cause, target: client.target },
      { _tag: "QuestionRefused", kind: "unsupported", method: "roots/list" },
    ])
  })

  it("V25-CAP-08 V25-TASK-19 V25-ELI-16 gets a plain answer to params.task, which was not declared", async () => {
    const { peer, client } = await opened()
    await using _ = client
    const task = { task: { ttl: 60_000 } }
    expect(
      await answerTo(peer, 1, "elicitation/create", { ...form({ f: text }), ...task }),
    ).toEqual(result(1, { action: "accept", content: { f: "x" } }))
    expect(await answerTo(peer, 2, "sampling/createMessage", sample(task))).toEqual(result(2, said))
  })

  it("V25-TASK-12 V25-ELI-16 gets the task back that its question belongs to, in the answer", async () => {
    const related: Array<string | undefined> = []
    const { peer, client } = await opened({
      handlers: {
        roots: [root],
        elicitation: {
          form: (_, { relatedTask }) => {
            related.push(relatedTask)
            return { action: "cancel", _meta: { "example.com/x": 1 } }
          },
        },
      },
    })
    await using _ = client
    const key = "io.modelcontextprotocol/related-task"
    const _meta = { [key]: { taskId: "tk-5", more: true }, "example.com/y": 2 }
    expect(await answerTo(peer, 1, "elicitation/create", { ...form({}), _meta })).toEqual(
      result(1, { action: "cancel", _meta: { "example.com/x": 1, [key]: { taskId: "tk-5" } } }),
    )
    expect(await answerTo(peer, 2, "roots/list", { _meta })).toEqual(
      result(2, { roots: [root], _meta: { [key]: { taskId: "tk-5" } } }),
    )
    expect(await answerTo(peer, 3, "roots/list", { _meta: { [key]: 5 } })).toEqual(
      result(3, { roots: [root] }),
    )
    expect(related).toEqual(["tk-5"])
  })

  it("V25-PING-01 V25-TIME-04 hears its pings at once while a handler takes its time, which has no deadline", async () => {
    const { sampling, asked, settle } = slow()
    const { peer, client } = await opened({ handlers: { sampling }, timeoutMs: 1 })
    await using _ = client
    peer.send(request("slow", "sampling/createMessage", sample()))
    await asked
    for (let id = 0; id < 50; id++) peer.send(request(id, "ping"))
    await answer(peer, 49)
    expect(answers(peer)).toEqual(Array.from({ length: 50 }, (_, id) => result(id, {})))
    settle()
    expect(await answer(peer, "slow")).toEqual(result("slow", said))
  })

  it("V25-ELI-09 V25-SEC-08 that floods gets 100 questions asked and an error for each other one", async () => {
    const open: Array<() => void> = []
    const { peer, client } = await opened({
      handlers: { sampling: () => new Promise((resolve) => open.push(() => resolve(said))) },
    })
    await using _ = client
    for (let id = 0; id < 120; id++) peer.send(request(id, "sampling/createMessage", sample()))
    await answer(peer, 119)
    expect(answers(peer)).toHaveLength(20)
    expect(answers(peer)[0]).toMatchObject(error(100, -32603))
    expect(open).toHaveLength(100)
    for (const settle of open) settle()
    expect(await answer(peer, 99)).toEqual(result(99, said))
  })

  it("V26-ENV-06 V26-ENV-07 V26-DUAL-01 is answered in the legacy era alone: a modern one asks in vain", async () => {
    const peer = memoryPeer(modernServer(offers))
    await using client = await connected(peer.transport, { handlers })
    peer.send(request(1, "roots/list"))
    await client.tools.list()
    expect(answers(peer)).toEqual([])
    expect(noted(client)).toContain("server-request-in-modern")
  })
})

it("V25-CAP-10 notifications about what was never declared do no harm", async () => {
  const { peer, client } = await opened({})
  await using _ = client
  const kinds = ["tools", "prompts", "resources", "roots"]
  for (const kind of kinds) peer.send(notification(`notifications/${kind}/list_changed`))
  peer.send(notification("notifications/resources/updated", { uri: "file:///a" }))
  peer.send(notification("notifications/message", { level: "info", data: null }))
  peer.send(notification("notifications/elicitation/complete", { elicitationId: "e" }))
  peer.send(notification("notifications/tasks/status", { taskId: "t" }))
  peer.send(notification("notifications/x/unknown"))
  expect((await client.tools.list()).status).toBe("complete")
  expect(client.state).toBe("ready")
})

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener("abort", () => resolve())
  })

describe("a question that is taken back", () => {
  it("V25-CANC-05 V25-CANC-07 V25-CANC-01 aborts its handler, with the reason, and is never answered, nor cancelled from here", async () => {
    const { sampling, asked, settle } = slow()
    const { peer, client } = await opened({ handlers: { sampling } })
    await using _ = client
    peer.send(request("q", "sampling/createMessage", sample()))
    const { signal } = await asked
    peer.send(notification("notifications/cancelled", { requestId: "q", reason: "never mind" }))
    await aborted(signal)
    expect(signal.reason).toMatchObject({
      _tag: "QuestionWithdrawn",
      message: "The server took its question back: never mind",
    })
    settle()
    await client.tools.list()
    expect(answers(peer)).toEqual([])
    expect(peer.methods()).not.toContain("notifications/cancelled")
  })

  it.each([
    {},
    { requestId: null },
    { requestId: 7 },
    { requestId: "1" },
    { requestId: { id: 1 } },
  ])("V25-CANC-06 V25-CANC-08 only where it is named exactly: %j is ignored", async (params) => {
    const { sampling, asked, settle } = slow()
    const { peer, client } = await opened({ handlers: { sampling } })
    await using _ = client
    peer.send(request(1, "sampling/createMessage", sample()))
    const { signal } = await asked
    peer.send(notification("notifications/cancelled", params))
    await answerTo(peer, "p", "ping")
    expect(signal.aborted).toBe(false)
    settle()
    expect(await answer(peer, 1)).toEqual(result(1, said))
  })

  it("V25-RPC-03 by another one under the same id is not answered; the newer one is", async () => {
    const { sampling, asked, settle } = slow()
    const { peer, client } = await opened({ handlers: { sampling, roots: [root] } })
    await using _ = client
    peer.send(request(1, "sampling/createMessage", sample()))
    const { signal } = await asked
    expect(await answerTo(peer, 1, "roots/list")).toEqual(result(1, { roots: [root] }))
    expect(signal.aborted).toBe(true)
    settle()
    await client.tools.list()
    expect(answers(peer)).toHaveLength(1)
  })

  it("V25-CANC-06 after its answer means nothing", async () => {
    const { peer, client } = await opened()
    await using _ = client
    await answerTo(peer, 1, "roots/list")
    peer.send(notification("notifications/cancelled", { requestId: 1 }))
    expect(await answerTo(peer, 1, "roots/list")).toEqual(result(1, { roots: [root] }))
  })

  it("V25-CANC-01 by the end of the connection is not answered either, and its handler is told", async () => {
    const { sampling, asked } = slow()
    const { peer, client } = await opened({ handlers: { sampling } })
    peer.send(request(1, "sampling/createMessage", sample()))
    const { signal } = await asked
    await client.close()
    expect(signal.reason).toMatchObject({ message: "Nobody waits for the answer any more" })
    expect(answers(peer)).toEqual([])
    expect(peer.methods()).not.toContain("notifications/cancelled")
  })
})

describe("progress of an answer", () => {
  const telling = async (meta: JsonObject) => {
    const { sampling, asked, settle } = slow()
    const { peer, client } = await opened({ handlers: { sampling } })
    peer.send(request(1, "sampling/createMessage", sample({ _meta: meta })))
    const { progress } = await asked
    const told = () =>
      peer.received.flatMap(({ message }) =>
        typeof message === "object" &&
        message !== null &&
        "params" in message &&
        "method" in message
          ? message.method === "notifications/progress"
            ? [message.params]
            : []
          : [],
      )
    return { peer, client, progress, settle, told }
  }

  it.each([0, "a", ""])("V25-PROG-04 goes to the token that the server gave: %j", async (token) => {
    const { peer, client, progress, settle, told } = await telling({ progressToken: token })
    await using _ = client
    progress(0.5, 2, "half")
    settle()
    await answer(peer, 1)
    expect(told()).toEqual([{ progressToken: token, progress: 0.5, total: 2, message: "half" }])
  })

  it("V25-PROG-04 rises, is not too frequent, and ends with the answer", async () => {
    const { peer, client, progress, settle, told } = await telling({ progressToken: "t" })
    await using _ = client
    progress(Number.NaN)
    for (let step = 1; step <= 1_000; step++) progress(step)
    progress(1)
    settle()
    await answer(peer, 1)
    progress(2_000)
    await client.tools.list()
    const values = told().map((params) => (params as { progress: number }).progress)
    expect(values[0]).toBe(1)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    expect(values.length).toBeLessThan(100)
    expect(values).not.toContain(2_000)
  })

  it.each([{}, { progressToken: null }, { progressToken: 1.5 }, { progressToken: {} }])(
    "V25-PROG-04 goes nowhere without a token: %j",
    async (meta) => {
      const { peer, client, progress, settle, told } = await telling(meta)
      await using _ = client
      progress(1)
      settle()
      await answer(peer, 1)
      expect(told()).toEqual([])
    },
  )

  it("V25-TASK-12 names the task it belongs to", async () => {
    const _meta = { progressToken: "t", "io.modelcontextprotocol/related-task": { taskId: "k" } }
    const { peer, client, progress, settle, told } = await telling(_meta)
    await using _ = client
    progress(1)
    settle()
    await answer(peer, 1)
    expect(told()).toEqual([
      {
        progressToken: "t",
        progress: 1,
        _meta: { "io.modelcontextprotocol/related-task": { taskId: "k" } },
      },
    ])
  })
})

describe("a question during the handshake", () => {
  const early = (...messages: ReadonlyArray<JsonObject>) =>
    withRules(server, {
      when: { method: "initialize" },
      times: 1,
      reply: [
        ...messages.map((message) => ({ message })),
        {
          result: {
            protocolVersion: "2025-11-25",
            capabilities: { tools: {} },
            serverInfo: { name: "s", version: "1" },
          },
        },
      ],
    })

  it("V25-LIFE-10 V25-PING-01 trap 53: waits until initialized went out; a ping does not", async () => {
    const peer = memoryPeer(early(request("q", "roots/list"), request("p", "ping")))
    await using _ = await connected(peer.transport, { mode: "legacy", handlers })
    expect(await answer(peer, "q")).toEqual(result("q", { roots: [root] }))
    const order = peer.received.flatMap(({ message, kind }) =>
      kind === "open"
        ? []
        : [kind === "response" ? (message as { id: string }).id : methodOf(message)],
    )
    expect(order).toEqual(["initialize", "p", "notifications/initialized", "q"])
  })

  it("that is taken back meanwhile is forgotten", async () => {
    const cancel = notification("notifications/cancelled", { requestId: "q" })
    const peer = memoryPeer(early(request("q", "roots/list"), cancel))
    await using client = await connected(peer.transport, { mode: "legacy", handlers })
    await client.tools.list()
    expect(answers(peer)).toEqual([])
  })

  it("V25-SEC-08 of which there are too many is refused", async () => {
    const many = Array.from({ length: 20 }, (_, id) => request(id, "roots/list"))
    const peer = memoryPeer(early(...many))
    await using _ = await connected(peer.transport, { mode: "legacy", handlers })
    await answer(peer, 15)
    expect(answers(peer).slice(0, 4)).toMatchObject([16, 17, 18, 19].map((id) => error(id, -32603)))
    expect(answers(peer)).toHaveLength(20)
  })
})

const methodOf = (message: unknown): unknown =>
  typeof message === "object" && message !== null && "method" in message
    ? message.method
    : undefined

describe("over HTTP", () => {
  const own = { mode: "legacy", handlers } as const

  it("V25-HTTP-07 trap 16: a question on the stream of a call is answered by a POST of its own", async () => {
    const script = askingInACall(server, request("q", "elicitation/create", form({ f: text })))
    await using peer = await startHttpPeer({ ...script, answers: "sse" })
    await using client = await connected(peer.url, own)
    const calling = client.callTool({ name: "a" })
    expect(await answer(peer, "q")).toEqual(result("q", { action: "accept", content: { f: "x" } }))
    peer.play([{ result: { content: [] } }], { method: "tools/call" })
    expect(await calling).toEqual({ content: [] })
    const post = peer.received.find(({ kind }) => kind === "response")
    expect(post).toMatchObject({
      httpMethod: "POST",
      headers: { "mcp-protocol-version": "2025-11-25" },
    })
  })

  it("V25-HTTP-13 V25-HTTP-16 V25-HTTP-29 a question on the GET stream is answered in its session", async () => {
    await using peer = await startHttpPeer(
      legacyServer({ ...offers, sessionIds: ["S1"], listens: true }),
    )
    await using client = await connected(peer.url, own)
    await listens(client)
    expect(await answerTo(peer, "q", "roots/list", {}, { httpMethod: "GET" })).toEqual(
      result("q", { roots: [root] }),
    )
    const post = peer.received.find(({ kind }) => kind === "response")
    expect(post).toMatchObject({ httpMethod: "POST", headers: { "mcp-session-id": "S1" } })
  })

  it("trap 6: what a session has asked is not answered in the next one", async () => {
    const { sampling, asked, settle } = slow()
    await using peer = await startHttpPeer(
      legacyServer({ ...offers, sessionIds: ["S1", "S2"], listens: true }),
    )
    await using client = await connected(peer.url, { mode: "legacy", handlers: { sampling } })
    await listens(client)
    peer.send(request("q", "sampling/createMessage", sample()), { httpMethod: "GET" })
    const { signal } = await asked
    peer.add({
      when: { headers: { "mcp-session-id": "S1" } },
      reply: [{ http: { status: 404 } }],
    })
    await client.tools.list()
    expect(signal.aborted).toBe(true)
    settle()
    await client.request("tools/list")
    expect(answers(peer)).toEqual([])
    expect(noted(client)).toContain("session-renewed")
  })
})

const listens = (client: Awaited<ReturnType<typeof connected>>): Promise<void> =>
  new Promise((resolve) => {
    if (client.listening === "open") return resolve()
    const stop = client.onListening((state) => {
      if (state !== "open") return
      stop()
      resolve()
    })
  })

it("over stdio a question is answered on stdin", async () => {
  await using peer = await startStdioPeer(askingInACall(server, request("q", "roots/list")))
  await using client = await connected(stdio(peer), {
    mode: "legacy",
    handlers,
  })
  const calling = reasonOf(client.callTool({ name: "a" }))
  expect(await answer(peer, "q")).toEqual(result("q", { roots: [root] }))
  await client.close()
  await calling
})

it("V25-ELI-15 V26-ELIC-27 the credentials in use are the same before and after a page", async () => {
  await using peer = await startHttpPeer(legacyServer({ ...offers, listens: true }))
  await using client = await connected(http(peer.url, { headers: { authorization: "Bearer t" } }), {
    mode: "legacy",
    handlers: { elicitation: { url: () => ({ action: "accept" }) } },
  })
  await listens(client)
  const page = {
    mode: "url",
    message: "?",
    url: "https://a.example/?token=new",
    elicitationId: "e",
  }
  await answerTo(peer, 1, "elicitation/create", page, { httpMethod: "GET" })
  await client.tools.list()
  const used = peer.exchanges("POST").map(({ headers }) => headers?.["authorization"])
  expect(new Set(used)).toEqual(new Set(["Bearer t"]))
})
