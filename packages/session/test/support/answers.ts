import {
  AuthorizationRequired,
  explain,
  HttpRejected,
  ProcessExited,
  ProtocolViolation,
  Unreachable,
  type JsonObject,
} from "@entente/protocol"
import type { Answer } from "../../src/index.js"

export const target = "demo"

export const discoverResult = (...supportedVersions: ReadonlyArray<string>): JsonObject => ({
  resultType: "complete",
  supportedVersions,
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: "private",
})

export const initializeResult = (protocolVersion: unknown): JsonObject => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: "demo", version: "1" },
})

export const result = (value: JsonObject): Answer => ({ _tag: "Result", result: value })

export const discovered = (...versions: ReadonlyArray<string>): Answer =>
  result(discoverResult(...versions))

export const initialized = (version: unknown, sessionId?: string): Answer => ({
  _tag: "Result",
  result: initializeResult(version),
  ...(sessionId === undefined ? {} : { sessionId }),
})

export const rpcError = (
  code: number,
  message: string,
  more: { readonly data?: unknown; readonly status?: number } = {},
): Answer => ({
  _tag: "Error",
  error: { code, message, ...("data" in more ? { data: more.data } : {}) },
  ...(more.status === undefined ? {} : { status: more.status }),
})

export const unsupported = (...supported: ReadonlyArray<string>): Answer =>
  rpcError(-32022, "unsupported version", { data: { supported, requested: "2026-07-28" } })

export const status = (code: number, text = "", retryAfterMs?: number): Answer => ({
  _tag: "Status",
  status: code,
  text,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
})

export const silence: Answer = { _tag: "Silence", afterMs: 1_500 }

export const processExited = new ProcessExited({
  ...explain("process-exited", "negotiate", target, "The process exited with code 1."),
  process: { command: "demo", exitCode: 1, signal: undefined, stderr: "boom" },
})

export const unreachable = new Unreachable(
  explain("unreachable", "negotiate", target, "connect ECONNREFUSED"),
)

export const noStream = new HttpRejected({
  ...explain(
    "http-status",
    "open",
    target,
    "The GET for the event stream was answered with HTTP 405.",
  ),
  status: 405,
  body: "",
})

export const exited: Answer = { _tag: "Gone", error: processExited }

export const networkDown: Answer = { _tag: "Gone", error: unreachable }

export const invalid: Answer = {
  _tag: "Invalid",
  error: new ProtocolViolation(
    explain("unexpected-content", "negotiate", target, "A web page answered."),
  ),
}

export const unauthorized: Answer = {
  _tag: "Unauthorized",
  error: new AuthorizationRequired({
    ...explain("authorization-required", "negotiate", target, "The server wants a token."),
    status: 401,
    challenges: [{ scheme: "bearer", parameters: {} }],
  }),
}
