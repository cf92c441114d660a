import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { runAbortable, type Abortable } from "@entente/client"
import { plainText } from "@entente/protocol"
import { redactText } from "@entente/trace"
import type { DiagnosisContext } from "../context.js"
import type { Diagnosis, StageName, Verdict } from "../diagnosis.js"
import { examineServer, type Examination } from "./examine.js"
import type { ExamineOptions, Patient } from "./patient.js"

/** Characters of a detail. */
const longest = 240

/** How many servers are examined at a time, unless somebody says otherwise. */
const defaultConcurrency = 4

/** One of several servers. */
export interface NamedPatient extends Patient {
  readonly name: string
  readonly context?: DiagnosisContext
}

export interface ExamineAllOptions extends Omit<ExamineOptions, "reader" | "onProgress"> {
  /** How many servers are examined at a time; 4 by default. */
  readonly concurrency?: number
  /** Hears what is begun with which server, in a few words for a person who waits. */
  readonly onProgress?: (server: string, what: string) => void
}

/** Why one server has no tools to show, or not all. */
export interface ServerCause {
  readonly server: string
  readonly verdict: Exclude<Verdict, "healthy">
  /** The first stage that is not well. */
  readonly stage: StageName
  /** That of the likeliest cause. */
  readonly code: string
  /** One line of at most 240 characters, without secrets. */
  readonly detail: string
}

/** Several servers were examined, and some are not well: one cause for each of those (C112). */
export class ServersNotWell extends Data.TaggedError("ServersNotWell")<{
  readonly message: string
  readonly causes: ReadonlyArray<ServerCause>
}> {}

/** What came of examining several servers. */
export interface Round {
  /** In the order in which the servers were given. */
  readonly examinations: ReadonlyArray<Examination & { readonly name: string }>
  /** Absent where all are well. */
  readonly error?: ServersNotWell
}

const stageOf = ({ stages }: Diagnosis): StageName =>
  (
    stages.find(({ status }) => status === "failed") ??
    stages.find(({ status }) => status === "warn")
  )?.stage ?? "list"

const causeOf = (server: string, diagnosis: Diagnosis): ReadonlyArray<ServerCause> => {
  const { verdict, hypotheses } = diagnosis
  if (verdict === "healthy") return []
  const [first] = hypotheses
  const stage = stageOf(diagnosis)
  const detail =
    first?.title ??
    diagnosis.stages.find((one) => one.stage === stage)?.detail ??
    "no cause was found"
  const code = first?.code ?? "unexplained"
  return [{ server, verdict, stage, code, detail: plainText(redactText(detail), longest) }]
}

const notWell = (causes: ReadonlyArray<ServerCause>, servers: number): ServersNotWell => {
  const lines = causes.map(
    ({ server, stage, code, detail }) => `${plainText(server, 80)}: ${detail} (${stage}, ${code})`,
  )
  const message = `${causes.length} of ${servers} servers are not well.\n${lines.join("\n")}`
  return new ServersNotWell({ message, causes })
}

/** Examines several servers, a few at a time. It does not fail: what fails is what it finds. */
export const examineServers = (
  patients: ReadonlyArray<NamedPatient>,
  { concurrency = defaultConcurrency, onProgress, ...options }: ExamineAllOptions = {},
): Effect.Effect<Round> =>
  Effect.gen(function* () {
    const examinations = yield* Effect.forEach(
      patients,
      ({ name, context, ...patient }) =>
        Effect.map(
          examineServer(
            patient,
            {
              ...options,
              ...(onProgress && { onProgress: (what: string) => onProgress(name, what) }),
            },
            context,
          ),
          (examination) => ({ ...examination, name }),
        ),
      { concurrency: Math.max(1, concurrency) },
    )
    const causes = examinations.flatMap(({ name, diagnosis }) => causeOf(name, diagnosis))
    return causes.length === 0
      ? { examinations }
      : { examinations, error: notWell(causes, patients.length) }
  })

/**
 * The same for callers without Effect.
 *
 * @throws RequestAborted where `signal` calls it off
 * @example
 * const { error } = await examineAll([{ name: "files", transport: () => stdio({ command: "files" }) }])
 * error?.causes // [{ server: "files", stage: "spawn", code: "command-not-found", … }]
 */
export const examineAll = (
  patients: ReadonlyArray<NamedPatient>,
  { signal, ...options }: ExamineAllOptions & Abortable = {},
): Promise<Round> => runAbortable(examineServers(patients, options), signal, "", "The examination")
