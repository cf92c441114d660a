import * as Redacted from "effect/Redacted"
import { redactCommand, redacted, redactUrl } from "@entente/trace"
import type { Expanded, ExpandedServer, ServerConfig } from "./server-config.js"
import type { Part, Template } from "./template/template.js"

const quoted = (argument: string): string =>
  /^[^\s"'\\\p{C}]+$/u.test(argument) ? argument : JSON.stringify(argument)

const shownPart = (part: Part): string => {
  switch (part.kind) {
    case "text":
      return part.text
    case "variable":
      return `\${${part.name}}`
    case "input":
      return `\${input:${part.id}}`
    case "file":
      return "${file}"
    case "place":
      return `\${${part.place}}`
  }
}

const isTemplate = (text: Expanded | Template): text is Template => Array.isArray(text)

const shownText = (text: Expanded | Template): string => {
  if (typeof text === "string") return text
  return isTemplate(text) ? text.map(shownPart).join("") : redacted
}

/**
 * A server as people are shown it: its command line or its address, without secrets, and with the names of
 * references instead of what they stand for.
 *
 * @example
 * shownServer(server) // "npx -y some-server --token ${TOKEN}"
 */
export const shownServer = (server: ServerConfig | ExpandedServer): string =>
  server.kind === "remote"
    ? redactUrl(shownText(server.url))
    : redactCommand(shownText(server.command), server.args.map(shownText)).map(quoted).join(" ")

/** Whether something in the command line or the address is a secret that nothing but its origin betrays. */
export const hidesSecrets = (server: ExpandedServer): boolean =>
  server.kind === "remote"
    ? Redacted.isRedacted(server.url)
    : [server.command, ...server.args].some((text) => Redacted.isRedacted(text))
