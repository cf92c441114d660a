import {
  isJsonObject,
  isModernRevision,
  metaKey,
  type Era,
  type JsonObject,
} from "@entente/protocol"
import { isDiscoverResult, stringsIn } from "@entente/session"
import { callsOf, saidByClient, type Conversation } from "./conversation.js"
import type { Call, Frame, Mark, Saying } from "./frame.js"

/** What was agreed on at the beginning. */
export interface Agreement extends Mark {
  readonly era: Era
  /** As the server named it; it may be one that nobody knows. */
  readonly revision: string
  /** Undefined where the server sent none. */
  readonly capabilities: JsonObject | undefined
  /** The result that says so. */
  readonly result: JsonObject
  readonly call: Call
}

/** The capability tools as the server declared it. */
export const toolsCapability = (agreed: Agreement | undefined): unknown =>
  agreed?.capabilities?.["tools"]

/** How a conversation began. */
export interface Opening {
  readonly probes: ReadonlyArray<Call>
  readonly initializes: ReadonlyArray<Call>
  readonly initialized: Frame | undefined
  /** The last agreement. */
  readonly agreed: Agreement | undefined
  /** All of them, in order: a session that is renewed has several. */
  readonly agreements: ReadonlyArray<Agreement>
}

/** What a modern request says of its own version. */
export const versionOf = ({ params }: Saying): string | undefined => {
  const meta = params?.["_meta"]
  const version = isJsonObject(meta) ? meta[metaKey.protocolVersion] : undefined
  return typeof version === "string" ? version : undefined
}

const agreementOf = (call: Call): Agreement | undefined => {
  const { reply, method } = call
  if (reply?.kind !== "result") return undefined
  const { result, index, at } = reply
  const { capabilities, protocolVersion } = result
  const common = {
    index,
    at,
    result,
    call,
    capabilities: isJsonObject(capabilities) ? capabilities : undefined,
  }
  if (method === "server/discover") {
    if (!isDiscoverResult(result)) return undefined
    const named = stringsIn(result["supportedVersions"])
    const revision = named.find(isModernRevision) ?? named[0]
    return revision === undefined || !named.some(isModernRevision)
      ? undefined
      : { ...common, era: "modern", revision }
  }
  return typeof protocolVersion === "string"
    ? { ...common, era: "legacy", revision: protocolVersion }
    : undefined
}

/** Reads how a conversation began. */
export const readOpening = (conversation: Conversation): Opening => {
  const probes = callsOf(conversation, "server/discover")
  const initializes = callsOf(conversation, "initialize")
  const agreements = [...probes, ...initializes]
    .flatMap((call) => agreementOf(call) ?? [])
    .toSorted((one, other) => one.index - other.index)
  return {
    probes,
    initializes,
    initialized: saidByClient(conversation, "notifications/initialized").at(-1),
    agreed: agreements.at(-1),
    agreements,
  }
}
