import {
  explain,
  HandshakeFailed,
  InvalidInput,
  NotTolerated,
  Unreachable,
  VersionMismatch,
  type Attempt,
  type EntenteError,
  type ProcessReport,
} from "@entente/protocol"
import type { Answer } from "./answer.js"
import { withAttempts } from "./failure.js"
import { plainText } from "./plain-text.js"
import { everyCandidate, type Candidates } from "./version-choice.js"

/** Why a negotiation came to no agreement. */
export type RefusalReason =
  /** The mode and the client's own list leave no version to offer. */
  | "nothingToOffer"
  /** Both lists of versions are known, and have nothing in common. */
  | "noCommonVersion"
  /** The latest failure says it all: it goes out as it is. */
  | "latestFailure"
  /** An outage that did not pass. */
  | "outage"
  /** A legacy server, and only the modern era is wanted (V26-ERA-16). */
  | "legacyServer"
  /** A version gate, and the rule that would have opened it is off. */
  | "versionGate"
  /** The server refused the handshake, or never answered it. */
  | "handshake"

export interface RefusalFacts {
  readonly target: string
  readonly candidates: Candidates
  readonly attempts: ReadonlyArray<Attempt>
  readonly first: EntenteError | undefined
  readonly latest: EntenteError | undefined
  readonly answer: Answer | undefined
  /** The versions the server named. */
  readonly named: ReadonlyArray<string>
}

const tell = (attempts: ReadonlyArray<Attempt>): string =>
  plainText(attempts.map(({ what, outcome }) => `${what}: ${outcome}`).join("; "), 1_200)

const statusOf = (answer: Answer | undefined): { readonly status?: number } =>
  answer && "status" in answer && answer.status !== undefined ? { status: answer.status } : {}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

/** What a process that did not answer did instead: the phase it was in, for how long, its last words. */
const tellProcess = ({ phase, ageMs, stderr }: ProcessReport): string => {
  const age = ageMs === undefined ? "" : ` after ${seconds(ageMs)}`
  const last = plainText(stderr.trimEnd().split("\n").at(-1) ?? "", 200)
  return [
    phase === "starting" ? `It was still starting${age}: nothing had come on stdout.` : undefined,
    phase === "running" ? `It was running${age}.` : undefined,
    last === "" ? undefined : `Its last words on stderr: ${last}`,
  ]
    .filter((part) => part !== undefined)
    .join(" ")
}

/** A web page at the address has a better hint than a handshake has. */
const handshakeHint = (first: EntenteError | undefined): string | undefined =>
  first?._tag === "HttpRejected" || first?._tag === "ProtocolViolation" ? first.hint : undefined

const handshakeFailed = (facts: RefusalFacts, what: string): HandshakeFailed => {
  const silent = facts.answer?._tag === "Silence" ? facts.answer : undefined
  const process = silent?.process
  const story = process === undefined ? "" : tellProcess(process)
  return new HandshakeFailed({
    ...explain(
      silent ? "handshake-timeout" : "handshake-refused",
      "negotiate",
      facts.target,
      [what, process?.finding ?? "", `${tell(facts.attempts)}.`, story]
        .filter((part) => part !== "")
        .join(" "),
      handshakeHint(facts.first),
    ),
    ...(process ? { process } : {}),
  })
}

const builders: Readonly<Record<RefusalReason, (facts: RefusalFacts) => EntenteError>> = {
  nothingToOffer: ({ target }) =>
    new InvalidInput(
      explain(
        "invalid-input",
        "negotiate",
        target,
        "The mode and the versions of this client leave no version to offer.",
      ),
    ),
  noCommonVersion: ({ target, candidates, named }) => {
    const offered = everyCandidate(candidates)
    const supported = named.map((version) => plainText(version, 40))
    const theirs = supported.length > 0 ? supported.join(", ") : "none by name"
    return new VersionMismatch({
      ...explain(
        "no-common-version",
        "negotiate",
        target,
        `This client speaks ${offered.join(", ")}; the server supports ${theirs}.`,
      ),
      offered,
      supported,
    })
  },
  latestFailure: (facts) => facts.latest ?? handshakeFailed(facts, "The server cannot be used."),
  outage: (facts) =>
    new Unreachable({
      ...explain(
        "outage",
        "negotiate",
        facts.target,
        `The server is out of order. ${tell(facts.attempts)}.`,
      ),
      ...statusOf(facts.answer),
    }),
  legacyServer: (facts) =>
    handshakeFailed(
      facts,
      `The server does not speak ${facts.candidates.modern.join(", ")}, and this client was told to use nothing older.`,
    ),
  versionGate: ({ target, named }) =>
    new NotTolerated({
      ...explain(
        "not-tolerated",
        "negotiate",
        target,
        `The server refused initialize and named ${plainText(named.join(", "))}; asking again is switched off.`,
      ),
      tolerance: "version-gate",
    }),
  handshake: (facts) =>
    handshakeFailed(
      facts,
      facts.answer?._tag === "Silence"
        ? "The server did not answer the handshake."
        : "The server refused the handshake.",
    ),
}

/** The error of a refusal, with every attempt in order and the first failure as its cause. */
export const refusalOf = (reason: RefusalReason, facts: RefusalFacts): EntenteError => {
  const error = builders[reason](facts)
  return withAttempts(error, facts.attempts, facts.first)
}
