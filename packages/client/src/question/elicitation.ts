import * as Effect from "effect/Effect"
import {
  ElicitResult,
  FormParams,
  LegacyUrlParams,
  UrlParams,
  elicitationModes,
  isJsonObject,
  validate,
  type ClientCapabilities,
  type ElicitationMode,
  type JsonObject,
  type QuestionRefused,
} from "@entente/protocol"
import { excerpt } from "@entente/transport"
import { askHandler } from "./ask-handler.js"
import type { Asking } from "./asking.js"
import { checkForm, defaultsOf, fillForm, secretFieldsOf } from "./form-content.js"
import type { ElicitationHandlers } from "./handlers.js"
import { readPage } from "./page-report.js"
import { readParams } from "./read-question.js"
import { mismatched, refusal } from "./refusal.js"
import type { Completions } from "./completions.js"
import type { SeenPages } from "./seen-pages.js"

type Answer<A> = Effect.Effect<A, QuestionRefused>

/** What is remembered of the pages of one connection. */
export interface Pages {
  readonly seen: SeenPages
  readonly completions: Completions
}

/** A refusal is something a form can say for itself (V26-MRTR-14). */
const declined: ElicitResult = { action: "decline" }

const orDeclined = (answer: Answer<unknown>): Answer<unknown> =>
  Effect.catchTag(answer, "QuestionRefused", (refused) =>
    refused.kind === "refused" ? Effect.succeed(declined) : Effect.fail(refused),
  )

/** The action and `_meta` of an answer; `content` is looked at by itself. */
const readAction = (asking: Asking, given: unknown): Answer<ElicitResult> => {
  const { action, _meta } = isJsonObject(given) ? given : {}
  const read = validate(ElicitResult, _meta === undefined ? { action } : { action, _meta })
  return read.ok
    ? Effect.succeed(read.value)
    : Effect.fail(mismatched("invalid-answer", asking, read))
}

const answerForm = (
  asking: Asking,
  handler: NonNullable<ElicitationHandlers["form"]>,
): Answer<ElicitResult> =>
  Effect.gen(function* () {
    const params = yield* readParams(asking, FormParams)
    const { requestedSchema: form } = params
    const fault = checkForm(form)
    if (fault !== undefined) {
      const pointer = `/requestedSchema${fault.pointer}`
      return yield* mismatched("invalid-question", asking, { ...fault, pointer })
    }
    const secretFields = secretFieldsOf(form)
    for (const name of secretFields) {
      asking.note({ code: "secret-asked-by-form", detail: excerpt(name) })
    }
    const defaults = defaultsOf(form)
    const given = yield* orDeclined(
      askHandler(asking, asking.signal, (signal) =>
        handler(params, { ...asking.context(signal), defaults, secretFields }),
      ),
    )
    const answer = yield* readAction(asking, given)
    // V25-ELI-06: content goes with consent alone.
    if (answer.action !== "accept") return answer
    const filled = fillForm(form, isJsonObject(given) ? given["content"] : undefined)
    if (!filled.ok) return yield* mismatched("invalid-answer", asking, filled)
    for (const name of filled.unchecked) {
      asking.note({ code: "pattern-unchecked", detail: excerpt(name) })
    }
    return { ...answer, content: filled.content }
  })

const answerUrl = (
  asking: Asking,
  handler: NonNullable<ElicitationHandlers["url"]>,
  { seen, completions }: Pages,
): Answer<ElicitResult> =>
  Effect.gen(function* () {
    const legacy = asking.era === "legacy"
    const params: UrlParams = yield* readParams(asking, legacy ? LegacyUrlParams : UrlParams)
    const page = readPage(params.url)
    if ("refused" in page) {
      const fault = { pointer: "/url", reason: page.refused }
      return yield* mismatched("invalid-question", asking, fault)
    }
    const { href, host, warnings } = page
    if (warnings.length > 0) {
      asking.note({ code: "suspicious-url", detail: `${host}: ${warnings.join(", ")}` })
    }
    const seenBefore = seen.add(href)
    const { elicitationId: id } = params
    const completion = legacy && id !== undefined ? completions.expect(id) : undefined
    const given = yield* orDeclined(
      askHandler(asking, asking.signal, (signal) =>
        // The address as it was read, so that nobody opens another one than was judged.
        handler(
          { ...params, url: href },
          {
            ...asking.context(signal),
            page: { href, host, warnings, seenBefore },
            blocked: asking.blocked,
            ...(completion === undefined ? {} : { completion }),
          },
        ),
      ),
    )
    return yield* readAction(asking, given)
  })

/** No `mode` means form (V25-ELI-01, V26-ELIC-02). */
const modeOf = (params: JsonObject | undefined): ElicitationMode | undefined => {
  const mode = params?.["mode"] ?? "form"
  return mode === "form" || mode === "url" ? mode : undefined
}

/** Answers `elicitation/create`, in whichever mode it comes. */
export const answerElicitation = (
  asking: Asking,
  handlers: ElicitationHandlers,
  pages: Pages,
): Answer<ElicitResult> => {
  const mode = modeOf(asking.params)
  if (mode === undefined) {
    const fault = { pointer: "/mode", reason: "expected form or url" }
    return Effect.fail(mismatched("invalid-question", asking, fault))
  }
  const { form, url } = handlers
  // Each side's own word counts: what was declared where this was asked (V25-CAP-06, V25-ELI-14).
  const declared = elicitationModes(asking.declared as ClientCapabilities).includes(mode)
  // V25-LIFE-20: pages came with 2025-11-25; before it there were forms alone.
  const exists = mode === "form" || asking.revision >= "2025-11-25"
  if (declared && exists && mode === "form" && form) return answerForm(asking, form)
  if (declared && exists && mode === "url" && url) return answerUrl(asking, url, pages)
  return Effect.fail(refusal("undeclared", asking, `elicitation by ${mode}`))
}
