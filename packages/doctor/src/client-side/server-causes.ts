import type { ClientTrouble, ClientView } from "../context.js"
import { clientCause, notTheirs, type ClientCause } from "./cause.js"
import { checksConfig, listsTools, shown } from "./wording.js"

const at = (where: string | undefined): string => (where === undefined ? "" : ` (${where})`)

/** The server is switched off. */
export const switchedOff = ({
  kind,
  title,
  server,
  disabledBy,
}: ClientView): ReadonlyArray<ClientCause> =>
  disabledBy === undefined
    ? []
    : [
        clientCause({
          code: "server-switched-off",
          confidence: 0.98,
          title: `${title} does not use the server ${shown(server)}: it is switched off by ${disabledBy}.`,
          expected:
            "A server whose tools are wanted is switched on in every place that has a switch for it.",
          fix: {
            ...notTheirs,
            client: `Switch it on: change ${disabledBy}, then restart ${title}.`,
          },
          next: listsTools(server, kind),
        }),
      ]

interface TroubleRule {
  /** Codes of troubles, as `entente config check` has them. */
  readonly codes: ReadonlyArray<string>
  readonly code: ClientCause["code"]
  /** With a trouble that keeps the server away for certain, and with one that may do so. */
  readonly confidence: readonly [certain: number, possible: number]
  readonly expected: string
  readonly client: (view: ClientView) => string
}

/** What a trouble of the configuration means for tools; the last rule is for all others that keep them away. */
const troubleRules: ReadonlyArray<TroubleRule> = [
  {
    codes: ["not-approved"],
    code: "server-not-approved",
    confidence: [0.75, 0.6],
    expected: "Servers that come with a project are approved once by whoever works in it.",
    client: ({ title }) =>
      `Start ${title} in the project's folder and approve the server, or trust the project.`,
  },
  {
    codes: ["not-configured"],
    code: "server-not-configured",
    confidence: [0.95, 0.6],
    expected: "The client's own file names the server.",
    client: ({ title, kind }) =>
      `Add the server to a file of ${title}; entente config translate FILE --to ${kind} writes it down in its form.`,
  },
  {
    codes: ["member-of-another-client", "url-means-sse"],
    code: "wrong-address-key",
    confidence: [0.97, 0.45],
    expected:
      "The address stands under the name that this client reads, with the transport that the server speaks.",
    client: ({ title }) =>
      `Rename the member as ${title} has it, and say the type where it can be said.`,
  },
  {
    codes: [
      "left-literal",
      "nested-default",
      "variable-unset",
      "input-unknown",
      "input-missing",
      "file-unreadable",
    ],
    code: "variable-not-expanded",
    confidence: [0.9, 0.5],
    expected:
      "Every reference is written as this client replaces it, and what it names is set where the client runs.",
    client: ({ title }) =>
      `Write the reference in the form that ${title} replaces, or set the variable in the environment that starts it.`,
  },
]

const otherwise: TroubleRule = {
  codes: [],
  code: "server-not-read",
  confidence: [0.95, 0],
  expected: "The client can read its file and the server's entry in it.",
  client: ({ title }) => `Put the entry right, then restart ${title}.`,
}

const ruleFor = ({ code, keepsAway }: ClientTrouble): TroubleRule | undefined =>
  troubleRules.find(({ codes }) => codes.includes(code)) ??
  (keepsAway === true ? otherwise : undefined)

/** The server's entry is not read, or read as something else, or not used: one cause for each kind of trouble. */
export const troubled = (view: ClientView): ReadonlyArray<ClientCause> => {
  const { title, server, kind, troubles } = view
  const groups = new Map<TroubleRule, Array<ClientTrouble>>()
  for (const trouble of troubles) {
    const rule = ruleFor(trouble)
    if (rule !== undefined) groups.set(rule, [...(groups.get(rule) ?? []), trouble])
  }
  return [...groups].map(([rule, found]) => {
    // What keeps the server away for certain is told first.
    const sorted = found.toSorted(
      (one, other) => Number(other.keepsAway ?? false) - Number(one.keepsAway ?? false),
    )
    const [first] = sorted
    const more = sorted.length - 1
    const rest =
      more > 0 ? ` There ${more === 1 ? "is 1 more" : `are ${more} more`} of this kind.` : ""
    return clientCause({
      code: rule.code,
      confidence: rule.confidence[first?.keepsAway === true ? 0 : 1],
      title: `${title}, server ${shown(server)}: ${first?.message ?? ""}${at(first?.where)}${rest}`,
      expected: rule.expected,
      fix: { ...notTheirs, client: rule.client(view) },
      next: checksConfig(kind),
    })
  })
}
