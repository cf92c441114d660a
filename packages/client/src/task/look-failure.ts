import { rpcCode, type EntenteError } from "@entente/protocol"

/**
 * What an error says about a task: the server does not know it; asking again cannot help; or it may, so
 * that there is only nothing to conclude yet.
 */
export type LookFailure = "unknown" | "refused" | "faltered"

const byRpcCode: ReadonlyMap<number, LookFailure> = new Map([
  // V25-TASK-15, V26-TASK-20: unknown, foreign, purged or expired.
  [rpcCode.invalidParams, "unknown"],
  [rpcCode.methodNotFound, "refused"],
  [rpcCode.missingClientCapability, "refused"],
])

const hopeless: ReadonlySet<EntenteError["_tag"]> = new Set([
  "AuthorizationRequired",
  "CapabilityMissing",
  "InvalidInput",
  "NotTolerated",
  "ReplayDiverged",
  "VersionMismatch",
])

/** Only an answer that is no refusal of the request as such may be another one next time. */
const mayPass = (status: number): boolean => status >= 500 || status === 408 || status === 429

export const lookFailureOf = (error: EntenteError): LookFailure => {
  if (error._tag === "PeerError") return byRpcCode.get(error.rpcCode) ?? "faltered"
  if (error._tag === "HttpRejected") return mayPass(error.status) ? "faltered" : "refused"
  return hopeless.has(error._tag) ? "refused" : "faltered"
}
