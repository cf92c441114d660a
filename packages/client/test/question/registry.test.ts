import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { QuestionRefused } from "@entente/protocol"
import { UserRefused, type Handlers } from "@entente/client"
import { form, legacy, modern, pending, registry, root, said, sample, under } from "./registry.js"

const everything: Handlers = {
  roots: [root],
  sampling: () => said,
  elicitation: { form: () => ({ action: "decline" }) },
}

const three = [
  ["roots/list", undefined, { roots: [root] }],
  ["sampling/createMessage", sample(), said],
  ["elicitation/create", form({}), { action: "decline" }],
] as const

describe("one registry", () => {
  it.each(three)("V26-DUAL-10 answers %s the same in both eras", async (method, params, answer) => {
    const { ask } = registry(everything)
    expect(await ask(method, params, legacy)).toEqual(answer)
    expect(await ask(method, params, modern)).toEqual(answer)
  })

  it("takes values, promises and effects from a handler alike", async () => {
    const ways: ReadonlyArray<Handlers["sampling"]> = [
      () => said,
      () => Promise.resolve(said),
      () => Effect.succeed(said),
      () => Effect.delay(Effect.succeed(said), 1),
    ]
    for (const sampling of ways) {
      const { ask } = registry(sampling === undefined ? {} : { sampling })
      expect(await ask("sampling/createMessage", sample())).toEqual(said)
    }
  })

  it("V25-ELI-08 V26-ELIC-04 tells a handler who asks, as this side knows it, in which era and how", async () => {
    const told: Array<unknown> = []
    const { ask } = registry({
      roots: (params, context) => {
        const { server, era, revision, method, relatedTask } = context
        told.push({ params, server, era, revision, method, relatedTask })
        return []
      },
    })
    await ask("roots/list", undefined, { ...legacy, relatedTask: "t1" })
    await ask("roots/list", { _meta: { x: 1 } }, modern)
    expect(told).toEqual([
      {
        params: undefined,
        server: "demo",
        era: "legacy",
        revision: "2025-11-25",
        method: "roots/list",
        relatedTask: "t1",
      },
      {
        params: { _meta: { x: 1 } },
        server: "demo",
        era: "modern",
        revision: "2026-07-28",
        method: "roots/list",
        relatedTask: undefined,
      },
    ])
  })
})

describe("a question nobody is there for", () => {
  it.each([...three.map(([method]) => method), "x/unknown", "tasks/get", "__proto__"])(
    "V25-CAP-04 V25-SAMP-01 V25-ROOT-03 %s gets -32601 and a note",
    async (method) => {
      const { ask, noted } = registry({})
      expect(await ask(method, {})).toMatchObject({
        _tag: "QuestionRefused",
        kind: "unsupported",
        rpcCode: -32601,
        rpcMessage: `This client does not offer ${method}`,
      })
      expect(noted()).toEqual(["server-request-refused"])
    },
  )

  it("V25-CAP-06 V25-ELI-14 V26-ELIC-03 trap 61: only the mode is missing: -32602, in both directions", async () => {
    const formOnly = registry({ elicitation: { form: () => ({ action: "decline" }) } })
    const page = { mode: "url", message: "?", url: "https://a.example/", elicitationId: "e" }
    const urlOnly = registry({ elicitation: { url: () => ({ action: "decline" }) } })
    for (const circumstances of [legacy, modern]) {
      const undeclared = { kind: "undeclared", rpcCode: -32602 }
      expect(await formOnly.ask("elicitation/create", page, circumstances)).toMatchObject(
        undeclared,
      )
      expect(await urlOnly.ask("elicitation/create", form({}), circumstances)).toMatchObject(
        undeclared,
      )
    }
  })

  it("V26-MRTR-12 V26-META-05 V26-ELIC-07 counts what was declared for this request, not what there is", async () => {
    let asked = 0
    const { ask } = registry({
      elicitation: {
        form: () => {
          asked++
          return { action: "decline" }
        },
      },
    })
    const without = { ...modern, capabilities: {} }
    expect(await ask("elicitation/create", form({}), without)).toMatchObject({
      kind: "unsupported",
    })
    expect(asked).toBe(0)
  })

  it("V25-LIFE-20 is also one that the agreed revision does not have", async () => {
    const { ask } = registry({
      ...everything,
      elicitation: { form: () => ({ action: "decline" }), url: () => ({ action: "accept" }) },
    })
    expect(await ask("elicitation/create", form({}), under("2025-03-26"))).toMatchObject({
      kind: "unsupported",
      rpcCode: -32601,
    })
    const page = { mode: "url", message: "?", url: "https://a.example/", elicitationId: "e" }
    expect(await ask("elicitation/create", page, under("2025-06-18"))).toMatchObject({
      kind: "undeclared",
      rpcCode: -32602,
    })
  })
})

describe("a handler that fails", () => {
  const boom = new Error("the vault is at /home/me/vault, key s3cr3t")
  const ways: ReadonlyArray<readonly [string, NonNullable<Handlers["sampling"]>]> = [
    [
      "throws",
      () => {
        throw boom
      },
    ],
    ["rejects", () => Promise.reject(boom)],
    ["fails", () => Effect.fail(boom)],
    ["dies", () => Effect.die(boom)],
  ]

  it.each(ways)(
    "V25-ROOT-03 one that %s is -32603 for the server, without a word of it, and the cause for the host",
    async (_, sampling) => {
      const { ask, noted, questions } = registry({ sampling })
      const heard: Array<QuestionRefused> = []
      questions.refused.add((refused) => heard.push(refused))
      const refused = await ask("sampling/createMessage", sample())
      expect(refused).toMatchObject({ kind: "handler-failed", rpcCode: -32603, cause: boom })
      expect(refused).toHaveProperty("rpcMessage", "This client could not answer")
      expect(refused).not.toHaveProperty("message", expect.stringContaining("vault"))
      expect(noted()).toEqual(["question-refused"])
      expect(heard).toEqual([refused])
    },
  )

  it("one that interrupts itself is a failure, not silence", async () => {
    const { ask } = registry({ sampling: () => Effect.interrupt })
    expect(await ask("sampling/createMessage", sample())).toMatchObject({ kind: "handler-failed" })
  })
})

describe("a person who says no", () => {
  it("V25-SAMP-03 V25-SEC-06 trap 42: sampling and roots are refused with -1", async () => {
    const no = () => {
      throw new UserRefused()
    }
    const { ask } = registry({ sampling: no, roots: no })
    for (const [method, params] of three.slice(0, 2)) {
      expect(await ask(method, params)).toMatchObject({
        kind: "refused",
        rpcCode: -1,
        rpcMessage: "The user refused",
      })
    }
  })

  it("V26-MRTR-14 V26-ELIC-05 an elicitation that is refused is declined: there is a word for it", async () => {
    const { ask } = registry({
      elicitation: {
        form: () => Promise.reject(new UserRefused("not today")),
        url: () => Effect.fail(new UserRefused()),
      },
    })
    expect(await ask("elicitation/create", form({}))).toEqual({ action: "decline" })
    const page = { mode: "url", message: "?", url: "https://a.example/" }
    expect(await ask("elicitation/create", page, modern)).toEqual({ action: "decline" })
  })
})

describe("a question that nobody waits for any more", () => {
  const waiting = () => {
    const { promise, resolve } = pending<AbortSignal>()
    const { questions } = registry({
      sampling: (_, { signal }) => {
        resolve(signal)
        return new Promise(() => {})
      },
    })
    return { questions, asked: promise }
  }
  const question = { method: "sampling/createMessage", params: sample() }

  it("V25-CANC-05 aborts the signal of its handler when it is interrupted, and ends at once", async () => {
    const { questions, asked } = waiting()
    const fiber = Effect.runFork(questions.answer(question, legacy))
    const signal = await asked
    expect(signal.aborted).toBe(false)
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(signal.aborted).toBe(true)
  })

  it("V25-CANC-05 or when the signal of whoever asked aborts", async () => {
    const { questions, asked } = waiting()
    const controller = new AbortController()
    const answer = Effect.runPromiseExit(
      questions.answer(question, { ...modern, signal: controller.signal }),
    )
    const signal = await asked
    controller.abort()
    expect((await answer)._tag).toBe("Failure")
    expect(signal.aborted).toBe(true)
  })

  it("does not reach a handler at all when that had happened before", async () => {
    const { questions, asked } = waiting()
    let reached = false
    void asked.then(() => (reached = true))
    await Effect.runPromiseExit(
      questions.answer(question, { ...modern, signal: AbortSignal.abort() }),
    )
    expect(reached).toBe(false)
  })

  it("leaves the signal alone once it was answered", async () => {
    let kept: AbortSignal | undefined
    const controller = new AbortController()
    const { ask } = registry({
      sampling: (_, { signal }) => {
        kept = signal
        return said
      },
    })
    await ask("sampling/createMessage", sample(), { ...modern, signal: controller.signal })
    controller.abort()
    expect(kept?.aborted).toBe(false)
  })
})

it("V25-ELI-09 V25-SEC-08 V26-SEC-15 a flood is answered up to 100 at once; the rest is refused, until some are done", async () => {
  const answers: Array<(answer: typeof said) => void> = []
  const { ask, noted } = registry({
    sampling: () => new Promise((resolve) => answers.push(resolve)),
  })
  const open = Array.from({ length: 100 }, () => ask("sampling/createMessage", sample()))
  expect(await ask("sampling/createMessage", sample())).toMatchObject({
    kind: "too-many",
    rpcCode: -32603,
    rpcMessage: "Too many questions at once",
  })
  expect(answers).toHaveLength(100)
  expect(noted()).toEqual(["question-refused"])
  answers[0]?.(said)
  await open[0]
  const next = ask("sampling/createMessage", sample())
  answers.slice(1).forEach((answer) => answer(said))
  await Promise.all(open)
  answers[100]?.(said)
  expect(await next).toEqual(said)
})
