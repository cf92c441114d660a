import type { Snapshot } from "@entente/client"
import { isJsonObject } from "@entente/protocol"
import type { ListCommand } from "../arguments.js"
import { listing } from "./listing.js"
import type { Style } from "./style.js"
import { oneLine } from "./visible-text.js"

const kinds: ReadonlyArray<ListCommand> = ["tools", "prompts", "resources", "templates"]

/** `tools (listChanged), prompts`: each capability with the parts of it that are on. */
const offers = (capabilities: Snapshot["capabilities"]): string =>
  Object.entries(capabilities)
    .map(([name, value]) => {
      const parts = isJsonObject(value)
        ? Object.entries(value).filter(([, on]) => on !== false && on !== null)
        : []
      const named = parts.map(([part]) => part).join(", ")
      return named === "" ? name : `${name} (${named})`
    })
    .join(", ")

const serverName = ({ name, version, title }: Snapshot["server"] & { title?: unknown }): string =>
  typeof title === "string" ? `${title} (${name} ${version})` : `${name} ${version}`

const milliseconds = (time: number): string => `${Math.round(time)} ms`

/** A snapshot for people. */
export const snapshotText = (
  snapshot: Snapshot,
  width: number,
  style: Style,
): ReadonlyArray<string> => {
  const { server, timings, notes } = snapshot
  const facts = [
    ["target", snapshot.target],
    ["transport", snapshot.transport],
    ["era", `${snapshot.era}, protocol ${snapshot.protocolVersion}`],
    ["offers", offers(snapshot.capabilities) || "nothing"],
    [
      "took",
      `open ${milliseconds(timings.openMs)}, negotiate ${milliseconds(timings.negotiateMs)}, ` +
        `lists ${milliseconds(timings.listMs)}; ${snapshot.requests} requests`,
    ],
  ] as const
  return [
    style.bold(oneLine(serverName(server))),
    ...facts.map(([label, value]) => `  ${style.dim(label.padEnd(9))}  ${oneLine(value)}`),
    ...kinds.flatMap((kind) => ["", ...listing(kind, snapshot.lists[kind], width, style)]),
    ...(notes.length === 0 ? [] : ["", style.bold("tolerated or noticed")]),
    ...notes.map(
      ({ code, count, detail }) => `  ${style.warning(code)} ×${count}: ${oneLine(detail)}`,
    ),
  ]
}
