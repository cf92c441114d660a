import type { ErrorCode } from "@entente/protocol"

/** What the exit code of `entente` says. */
export const exitCodes = {
  ok: 0,
  usage: 1,
  authorization: 3,
  unreachable: 4,
  toolError: 5,
  protocol: 6,
  findings: 7,
  /** A fault of entente itself. */
  internal: 70,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The one table from failures to exit codes. */
const byErrorCode: Readonly<Record<ErrorCode, ExitCode>> = {
  "invalid-input": exitCodes.usage,
  "unknown-tool": exitCodes.usage,

  "authorization-required": exitCodes.authorization,
  forbidden: exitCodes.authorization,

  unreachable: exitCodes.unreachable,
  "deadline-passed": exitCodes.unreachable,
  "proxy-failed": exitCodes.unreachable,
  outage: exitCodes.unreachable,
  "command-not-found": exitCodes.unreachable,
  "spawn-failed": exitCodes.unreachable,
  "process-exited": exitCodes.unreachable,
  "redirect-refused": exitCodes.unreachable,
  timeout: exitCodes.unreachable,
  lost: exitCodes.unreachable,
  "session-lost": exitCodes.unreachable,
  closed: exitCodes.unreachable,
  "server-unavailable": exitCodes.unreachable,

  "http-status": exitCodes.protocol,
  "unexpected-content": exitCodes.protocol,
  "endpoint-refused": exitCodes.protocol,
  "message-too-large": exitCodes.protocol,
  "invalid-message": exitCodes.protocol,
  "invalid-result": exitCodes.protocol,
  "no-common-version": exitCodes.protocol,
  "handshake-refused": exitCodes.protocol,
  "handshake-timeout": exitCodes.protocol,
  "peer-error": exitCodes.protocol,
  "resource-not-found": exitCodes.protocol,
  "no-longer-offered": exitCodes.protocol,
  "client-capability-missing": exitCodes.protocol,
  "capability-missing": exitCodes.protocol,
  "not-subscribed": exitCodes.protocol,
  "list-incomplete": exitCodes.protocol,
  "not-tolerated": exitCodes.protocol,
  "structured-content-invalid": exitCodes.protocol,
  "question-refused": exitCodes.protocol,
  "input-required": exitCodes.protocol,
  "too-many-rounds": exitCodes.protocol,
  "task-gone": exitCodes.protocol,
  "middleware-failed": exitCodes.protocol,
  "replay-diverged": exitCodes.protocol,

  aborted: exitCodes.interrupted,
  "task-cancelled": exitCodes.interrupted,
}

/** The exit code for the code of a failure; undefined for a code that is none of Entente's. */
export const exitCodeOf = (code: string): ExitCode | undefined =>
  Object.hasOwn(byErrorCode, code)
    ? byErrorCode[code as ErrorCode] // an own key of the table is one of its codes
    : undefined
