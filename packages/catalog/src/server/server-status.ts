import { errorCodes, bareMessage, type EntenteError, type Era } from "@entente/protocol"
import type { CountedNote, ListReason, Listing } from "@entente/client"
import type { Withheld } from "../tool/server-tools.js"

/** How a server stands. */
export type ServerStanding =
  | {
      readonly state: /** Configured, and not to be started. */
        | "disabled"
        /** Waits for its turn to start a process; see `starting`. */
        | "queued"
        /** Its process is being started, or its channel opened. */
        | "starting"
        /** The channel is there; both sides come to one version of the protocol. */
        | "connecting"
        /** Connected; its tools are read for the first time. */
        | "listing"
        /** Connected, but its tools could not be read: that is tried again. */
        | "unavailable"
        /** Connected, and its tools are as the server has them. */
        | "live"
        /** Connected, but its tools may be out of date: they are being read again, or could not be. */
        | "stale"
        /** The connection was lost, and opens itself again. */
        | "recovering"
        /** Somebody has to act; `retry` tries it again. */
        | "failed"
        /** The catalog is closed. */
        | "closed"
    }
  /** It has failed and is tried again. */
  | { readonly state: "waiting"; readonly retryAt: number }

export type ServerState = ServerStanding["state"]

/** What went wrong, as data: it survives JSON, and holds no secrets. */
export interface ServerTrouble {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** How many got through each stage; where two neighbours differ, `withheld` and `trouble` say why. */
export interface StageCounts {
  /** 1 once its process was started or its channel opened, since it was last tried. */
  readonly spawned: 0 | 1
  /** 1 once a version was agreed on, since it was last tried. */
  readonly negotiated: 0 | 1
  /** Tools that the server sent, broken ones included; of a name that comes twice the first alone. */
  readonly listed: number
  /** Sound ones. */
  readonly accepted: number
  /** Those of them in the newest projection; undefined where none was made. */
  readonly projected: number | undefined
  /** Those that a model can be shown: in the catalog, and not rejected by the newest projection. */
  readonly exposed: number
}

/** Everything there is to know of one server. */
export interface ServerDetails {
  readonly id: string
  /** Since when it stands so, in milliseconds since 1970. */
  readonly since: number
  /** The server as errors and people name it: without credentials. */
  readonly target: string
  /** The kind of its transport; where it fell back to another one, that. */
  readonly transport: string
  readonly era: Era | undefined
  readonly protocolVersion: string | undefined
  readonly tags: ReadonlyArray<string>
  readonly counts: StageCounts
  readonly withheld: ReadonlyArray<Withheld>
  /** How the list of tools was read last, and why it is not complete. */
  readonly list:
    | { readonly status: Listing<unknown>["status"]; readonly reason?: ListReason }
    | undefined
  /** The first thing that went wrong since the server was last live. */
  readonly trouble: ServerTrouble | undefined
  /** Failures in a row that led to a pause. */
  readonly failures: number
  /** Harmless deviations that were noticed on the connection; `unstable-pagination` names tools that came twice. */
  readonly notes: ReadonlyArray<CountedNote>
}

export type ServerStatus = ServerDetails & ServerStanding

/** An error as the status shows it. */
export const troubleOf = (error: EntenteError): ServerTrouble => ({
  code: error.code,
  message: bareMessage(error),
  hint: error.hint,
})

/** Whether a list may be out of date because of an error, and not only because it is to be read again. */
export const isFailure = ({ code }: ListReason): boolean => Object.hasOwn(errorCodes, code)

/** Why a list could not be read, as the status shows it. */
export const troubleWithList = (reason: ListReason): ServerTrouble => ({
  code: reason.code,
  message: reason.message,
  hint: isFailure(reason)
    ? errorCodes[reason.code as keyof typeof errorCodes].hint // as was just seen
    : "The list is read again by itself.",
})
