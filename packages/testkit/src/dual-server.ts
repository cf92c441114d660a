import { rpcCode } from "@entente/protocol"
import { legacyServer, type LegacyServerOptions } from "./legacy-server.js"
import { metaKey, modernServer, type ModernServerOptions } from "./modern-server.js"
import { refusal } from "./rules.js"
import type { Match, Rule, Script } from "./script.js"

export type DualServerOptions = LegacyServerOptions & ModernServerOptions

const withoutVersion = (when: Match): Match => ({
  ...when,
  params: { ...when.params, _meta: { [metaKey.protocolVersion]: { $present: false } } },
})

/**
 * A server of both eras. What names its version in `_meta` is met as a modern server would, all else as
 * a legacy one would.
 *
 * @example
 * const script = dualServer({ tools: [tool("echo")], sessionIds: ["S1"] })
 */
export const dualServer = (options: DualServerOptions = {}): Script => {
  const legacy = legacyServer(options).rules.map((rule): Rule => ({
    ...rule,
    when: withoutVersion(rule.when),
  }))
  const unknown: Rule = {
    when: withoutVersion({ kind: "request" }),
    reply: refusal(200, rpcCode.methodNotFound, "Method not found"),
  }
  const modern = modernServer(options)
  return { ...modern, rules: [...legacy, unknown, ...modern.rules] }
}
