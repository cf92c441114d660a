import * as Effect from "effect/Effect"
import {
  NoLongerOffered,
  explain,
  plainText,
  requestRow,
  type EntenteError,
  type JsonObject,
} from "@entente/protocol"
import { redactUrl } from "@entente/trace"
import type { CallOutcome, Cancel } from "../call/call.js"
import { callEffect } from "../call/call-effect.js"
import type { CallExtras } from "../call/call-options.js"
import { inBackground } from "../call/in-background.js"
import { deadlinesOfCall } from "../call/request-options.js"
import type { Life } from "../life/life.js"
import type { CallThrough } from "../middleware/around-calls.js"
import type { MirroredTools } from "../mirror/mirrored-tools.js"
import { doubtOf } from "./doubt.js"
import { namings, type Naming } from "./naming.js"
import { OfferedList, type NamedList, type Suspect } from "./offered-list.js"

/** A call that names something out of a list. */
interface NamingCall {
  readonly naming: Naming
  readonly method: string
  readonly params: JsonObject | undefined
  readonly options: CallExtras
}

type Lists<List> = { readonly [Name in Naming["list"]]: List }

/**
 * Calls that name a tool, a prompt or a resource. Where the server does not seem to know it although its list
 * had it, the list is read again, once (V26-CACHE-05). What is gone fails with `NoLongerOffered`; what is still
 * there, but not as it was known, is tried once more if that can do no harm; otherwise the server's answer
 * stands, also where the list can't be read. All of that happens within the time of the call.
 */
export class OfferedCalls {
  readonly #life: Life
  readonly #mirrored: MirroredTools
  readonly #send: CallThrough
  #lists: Lists<OfferedList> | undefined

  constructor(life: Life, mirrored: MirroredTools, send: CallThrough) {
    this.#life = life
    this.#mirrored = mirrored
    this.#send = send
  }

  /** Says which lists calls are held against; before that the server's answers stand. */
  holdAgainst({ tools, prompts, resources }: Lists<NamedList>): void {
    const life = this.#life
    this.#lists = {
      tools: new OfferedList(tools, namings["tools/call"], life),
      prompts: new OfferedList(prompts, namings["prompts/get"], life),
      resources: new OfferedList(resources, namings["resources/read"], life),
    }
  }

  make(
    naming: Naming,
    method: string,
    params: JsonObject | undefined,
    options: CallExtras,
    done: (outcome: CallOutcome) => void,
  ): Cancel {
    let again: Cancel | undefined
    const first = this.#send(method, params, options, (outcome) => {
      if (outcome.ok && outcome.result["isError"] !== true) return done(outcome)
      again = this.#judge({ naming, method, params, options }, outcome, done)
    })
    return (reason) => (again ?? first)(reason)
  }

  /** Ends a call that may have failed because what it names is gone; or goes on with it. */
  #judge(
    call: NamingCall,
    refusal: CallOutcome,
    done: (outcome: CallOutcome) => void,
  ): Cancel | undefined {
    const { naming, method, params } = call
    const list = this.#lists?.[naming.list]
    const name = params?.[naming.member]
    const doubt =
      typeof name === "string" && this.#concerns(call, refusal)
        ? doubtOf(naming, name, refusal)
        : undefined
    if (list === undefined || typeof name !== "string" || doubt === undefined) {
      return void done(refusal)
    }
    const known = list.known(name, doubt)
    switch (known._tag) {
      case "Nothing":
        return void done(refusal)
      case "Gone":
        return void done({ ok: false, error: this.#gone(call, name, refusal) })
      case "Suspect": {
        let why: string | undefined
        const looked = this.#lookAgain(call, list, known, refusal, () => why)
        const cancel = inBackground(this.#life, method, looked, done)
        return (reason) => {
          why = reason
          cancel()
        }
      }
    }
  }

  /**
   * Whether the list says anything of a call. It was not read with headers that only the call has, and that may
   * make it somebody else's; and for a call whose headers were put right it has just been read.
   */
  #concerns({ options }: NamingCall, refusal: CallOutcome): boolean {
    const answer = refusal.ok ? refusal.result : refusal.error
    return options.headers === undefined && !this.#mirrored.repaired.has(answer)
  }

  #lookAgain(
    call: NamingCall,
    list: OfferedList,
    suspect: Suspect,
    refusal: CallOutcome,
    reason: () => string | undefined,
  ): Effect.Effect<JsonObject, EntenteError> {
    return Effect.gen({ self: this }, function* () {
      const { naming, method, params, options } = call
      const { deadlines, timers, notes } = this.#life
      const { startedAt = timers.now() } = refusal
      const { timeoutMs, totalMs } = deadlinesOfCall(deadlines, options)
      const left = (): number => totalMs - (timers.now() - startedAt)
      const ms = Math.max(0, Math.min(timeoutMs, left()))
      const found = yield* list.readAgain(suspect, ms, options.thread)
      if (found._tag === "Gone") return yield* this.#gone(call, suspect.name, refusal)
      if (found._tag === "Unread") {
        const detail = plainText(`${naming.list}: ${found.why}`)
        notes.add({ code: "list-not-read-again", detail })
        return yield* standing(refusal)
      }
      if (!found.news || !mayRepeat(call) || left() <= 0) return yield* standing(refusal)
      notes.add({ code: "call-repeated", detail: `${method} ${shown(naming, suspect.name)}` })
      const inTime = { ...options, maxTotalTimeoutMs: left() }
      return yield* callEffect((done) => this.#send(method, params, inTime, done), reason)
    })
  }

  #gone({ naming, method }: NamingCall, name: string, refusal: CallOutcome): NoLongerOffered {
    const { noun, list } = naming
    const what = `The ${noun} "${shown(naming, name)}" was removed: the server's list of ${list}, read again, does not have it any more.`
    return new NoLongerOffered({
      ...explain("no-longer-offered", "request", this.#life.target, what),
      method,
      kind: noun,
      name: bare(naming, name),
      ...(refusal.ok ? { result: refusal.result } : { cause: refusal.error }),
    })
  }
}

/** A URI may carry a password, which belongs neither in an error nor in a note. */
const bare = ({ member }: Naming, name: string): string =>
  member === "uri" ? redactUrl(name) : name

const shown = (naming: Naming, name: string): string => plainText(bare(naming, name), 100)

const standing = (refusal: CallOutcome): Effect.Effect<JsonObject, EntenteError> =>
  refusal.ok ? Effect.succeed(refusal.result) : Effect.fail(refusal.error)

/**
 * The rule for everything that is sent again. What a tool says of itself does not count: its annotations are
 * the server's word (V25-TOOL-03). Answers to a question belong to that question alone (V26-MRTR-10).
 */
const mayRepeat = ({ method, params, options }: NamingCall): boolean =>
  params?.["requestState"] === undefined &&
  params?.["inputResponses"] === undefined &&
  (options.replay ?? requestRow(method)?.replaySafe ?? false)
