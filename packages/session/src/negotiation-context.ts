import type {
  Attempt,
  EntenteError,
  JsonObject,
  LegacyRevision,
  ModernRevision,
  Note,
  Revision,
  TolerancePolicy,
} from "@entente/protocol"
import type { Agreement } from "./agreement.js"
import type { Answer, Dialect } from "./answer.js"
import type { InitializeReading } from "./classify-initialize.js"
import type { ProbeReading } from "./classify-probe.js"
import type { RefusalReason } from "./refusal.js"
import type { Trouble } from "./trouble.js"
import type { Verdict } from "./verdict.js"
import { candidatesOf, type Candidates, type NegotiationMode } from "./version-choice.js"

export interface NegotiationInput {
  readonly dialect: Dialect
  /** Default: `auto`, both eras. */
  readonly mode?: NegotiationMode
  /** Whether HTTP+SSE can be opened where Streamable HTTP is not spoken. Default: no. */
  readonly fallback?: boolean
  /** The server, as errors name it; redacted. */
  readonly target: string
  /** What is remembered about this server; see `readVerdict`. */
  readonly prior?: Verdict
  /**
   * What contradicted the remembered verdict on a connection that relied on it. The verdict is then not
   * relied on again, but renewed by one probe (V26-ERA-12).
   */
  readonly contradiction?: Contradiction
  /** What an outage that stays means for the probe: a failure (default), or a legacy server. */
  readonly outagePolicy?: "fail" | "legacy"
  readonly tolerances?: TolerancePolicy
  /** The revisions this client speaks. Default: every published one. */
  readonly clientVersions?: ReadonlyArray<Revision>
  /** Milliseconds since the Unix epoch, for the date of the verdict. */
  readonly now: () => number
}

export interface Contradiction {
  readonly attempt: Attempt
  readonly error: EntenteError
  /**
   * What the contradiction itself proves, where it does: it is relied on, and no probe is sent. So does
   * −32022 that names only legacy versions (C107).
   */
  readonly proves?: Verdict
}

export type NegotiationOutcome =
  /** `reopened` counts the channels that the negotiation used up itself. */
  | { readonly _tag: "Agreed"; readonly agreement: Agreement; readonly reopened: number }
  | {
      readonly _tag: "Refused"
      readonly error: EntenteError
      readonly attempts: ReadonlyArray<Attempt>
    }

export type NegotiationEvent =
  /** An answer to `server/discover` that came when `initialize` was already under way. */
  { readonly type: "lateDiscover"; readonly result: JsonObject }

export interface NegotiationContext {
  /** What is spoken now: with the fallback it changes to `http+sse`, once. */
  readonly dialect: Dialect
  readonly fallback: boolean
  readonly target: string
  readonly outagePolicy: "fail" | "legacy"
  readonly tolerances: TolerancePolicy
  readonly candidates: Candidates
  readonly now: () => number
  /** The remembered verdict, unless it is contradicted or names an era that is not to be tried. */
  readonly prior: Verdict | undefined
  readonly contradiction: Contradiction | undefined

  /** The version of the probe under way, or of the next one. */
  readonly asking: ModernRevision | undefined
  /** Probes answered so far. */
  readonly probes: number
  /** The versions refused with −32022 so far, in order. */
  readonly versionsRefused: ReadonlyArray<ModernRevision>
  /** The version of the `initialize` under way, or of the next one. */
  readonly offering: LegacyRevision | undefined
  /** Whether `initialize` carries `MCP-Protocol-Version`. */
  readonly versionHeader: boolean

  /** Everything tried so far, in order. */
  readonly attempts: ReadonlyArray<Attempt>
  /** The first failure: the primary cause. */
  readonly first: EntenteError | undefined
  /** The latest failure. */
  readonly latest: EntenteError | undefined
  /** The latest answer, and what it meant to the step it answered. */
  readonly answer: Answer | undefined
  readonly probe: ProbeReading | undefined
  readonly initialize: InitializeReading | undefined
  /** What the latest answer answered. */
  readonly step: "probe" | "initialize" | "confirm"
  /** The trouble it told of, if any. */
  readonly trouble: Trouble | undefined
  /** Whether the server has proved to be modern: then `initialize` does not follow. */
  readonly modernProved: boolean
  /** A DiscoverResult that came late. */
  readonly lateDiscover: JsonObject | undefined

  /** Each of these happens at most once in a negotiation. */
  readonly spent: {
    readonly outageRetry: boolean
    readonly reopen: boolean
    readonly versionGate: boolean
    readonly headerChange: boolean
    readonly fallback: boolean
  }
  readonly notes: ReadonlyArray<Note>
  readonly agreement: Agreement | undefined
  readonly refusal: RefusalReason | undefined
}

/** The prior as far as it helps: its era is still wanted, and nothing has contradicted it. */
const usablePrior = (
  { prior, contradiction }: NegotiationInput,
  candidates: Candidates,
): Verdict | undefined => {
  if (!prior || contradiction) return undefined
  if (prior.era === "legacy") return candidates.legacy.length > 0 ? prior : undefined
  return candidates.modern.includes(prior.revision) ? prior : undefined
}

/** Any legacy revision can be agreed on over HTTP+SSE, and no modern one (V25-SSE-07). */
export const candidatesIn = (dialect: Dialect, candidates: Candidates): Candidates =>
  dialect === "http+sse" ? { ...candidates, modern: [] } : candidates

/** Where a negotiation starts from. */
export const initialContext = (input: NegotiationInput): NegotiationContext => {
  const candidates = candidatesIn(
    input.dialect,
    candidatesOf(input.mode ?? "auto", input.clientVersions),
  )
  const prior = usablePrior(input, candidates)
  const { contradiction } = input
  return {
    dialect: input.dialect,
    fallback: input.fallback ?? false,
    target: input.target,
    outagePolicy: input.outagePolicy ?? "fail",
    tolerances: input.tolerances ?? {},
    candidates,
    now: input.now,
    prior,
    contradiction,
    asking: prior?.era === "modern" ? prior.revision : candidates.modern[0],
    probes: 0,
    versionsRefused: [],
    offering: candidates.legacy[0],
    versionHeader: false,
    attempts: contradiction ? [contradiction.attempt] : [],
    first: contradiction?.error,
    latest: contradiction?.error,
    answer: undefined,
    probe: undefined,
    initialize: undefined,
    step: "probe",
    trouble: undefined,
    modernProved: false,
    lateDiscover: undefined,
    spent: {
      outageRetry: false,
      reopen: false,
      versionGate: false,
      headerChange: false,
      fallback: false,
    },
    notes: [],
    agreement: undefined,
    refusal: undefined,
  }
}
