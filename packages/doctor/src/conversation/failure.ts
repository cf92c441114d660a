import { isJsonObject } from "@entente/protocol"
import type { Mark } from "./frame.js"

/** Something that failed, in the words of whoever noticed it: a transport, a client, its log. */
export interface Failure extends Mark {
  /** A stable code of this house. */
  readonly code: string
  /** One or two sentences, without the address of the docs. */
  readonly message: string
  /** What the system below said: `connect ECONNREFUSED 127.0.0.1:9`. Empty where nothing is known of it. */
  readonly cause: string
  readonly status: number | undefined
  /** The kind of the transport that could not be opened, or has ended. */
  readonly transport: string | undefined
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** Every error ends with the heading that explains it; here the fix is told instead. */
const withoutDocs = (message: string): string =>
  message.replaceAll(/ ?\(docs\/errors\.md#[a-z-]+\)/g, "")

/** Where a program was looked for is long, and of the environment (C112). */
const withoutPath = (code: string, message: string): string =>
  code === "command-not-found" ? message.replace(/( on PATH): .*$/s, "$1.") : message

/** Reads an error as a recording has it. Undefined where it is none. */
export const failureOf = (value: unknown, mark: Mark, transport?: string): Failure | undefined => {
  if (!isJsonObject(value)) return undefined
  const { code, message, cause, status } = value
  if (typeof code !== "string") return undefined
  const { index, at } = mark
  return {
    index,
    at,
    code,
    message: withoutPath(code, withoutDocs(text(message))),
    cause: text(cause),
    status: typeof status === "number" ? status : undefined,
    transport,
  }
}
