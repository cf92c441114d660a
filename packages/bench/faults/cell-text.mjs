// What the user of a client saw, in a few words, the same from run to run.

const seconds = (ms) => (ms < 950 ? "" : ` after ${Math.round(ms / 1_000)} s`)

/** Without what differs between runs and machines. */
export const normalise = (text) =>
  text
    .replaceAll(/\s*\(docs\/errors\.md#[\w-]+\)/g, "")
    .replaceAll(/\S*node \S*stdio-relay\.js \d+/g, "node server")
    .replaceAll(/\b(127\.0\.0\.1|\[::1\]|::1):\d{2,5}\b/g, "127.0.0.1")
    .replaceAll(/(?<![\w:/])\/(?:[\w.@+-]+\/){2,}[\w.@+-]+/g, "…")
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, "…")
    .replaceAll(/\b(\d+) ms\b/g, (_, ms) =>
      Number(ms) < 1_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`,
    )
    .replaceAll(/\b(\d+)\.\d+ s\b/g, "$1 s")
    .replaceAll(/\bpid \d+/g, "pid …")

/** On one line, without control characters, cut. */
const short = (text, most) => {
  const line = normalise(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "�")
    .trim()
  return line.length <= most ? line : `${line.slice(0, most).trimEnd()}…`
}

const escapeMarkdown = (text) =>
  text.replaceAll(/[\\`*_{}[\]<>|#~$]/g, "\\$&").replaceAll("@", "&#64;")

const errorText = ({ error, ms }) =>
  `**${escapeMarkdown(short(error.name, 60))}**${seconds(ms)}: ${escapeMarkdown(short(error.message, 190))}`

const stepText = {
  connect: ({ value: { revision } }) => `connected (${revision})`,
  list: ({ value: { status, count, aside, reason } }) =>
    [
      status === "complete"
        ? `${count} ${count === 1 ? "tool" : "tools"}`
        : `list ${status}${reason ? ` (${reason.code})` : ""}, ${count} tools`,
      ...(aside > 0 ? [`${aside} set aside`] : []),
    ].join(", "),
  call: ({ value: { text, isError } }) =>
    isError ? "call: tool error" : `call “${escapeMarkdown(short(text, 24))}”`,
}

const parts = (seen) =>
  ["connect", "list", "call"].flatMap((name) => {
    const step = seen[name]
    if (step === undefined) return []
    const what = name === "connect" ? "" : `${name}: `
    if (step.outcome === "waiting")
      return [`${what}still waiting after ${Math.round(step.ms / 1_000)} s`]
    if (step.outcome === "error") return [`${what}${errorText(step)}`]
    return [`${stepText[name](step)}${name === "connect" ? seconds(step.ms) : seconds(step.ms)}`]
  })

const ending = (seen) => {
  const { close, crashes, left } = seen
  return [
    ...(close.outcome === "waiting" ? ["close: still waiting"] : []),
    ...(close.outcome === "error" ? [`close: ${errorText(close)}`] : []),
    ...crashes
      .map(
        ({ name, message }) =>
          `crashed: **${escapeMarkdown(name)}**: ${escapeMarkdown(short(message, 70))}`,
      )
      .slice(0, 1),
    ...(left > 0 ? [`${left} process left`] : []),
  ]
}

export const marks = { met: "✓", silent: "◐", missed: "✗", unmet: "–" }

/** A cell of the table. */
export const cellText = (cell) => {
  if (cell === undefined) return "*no such transport*"
  const { verdict, missing, seen } = cell
  if (seen.died !== undefined)
    return `${marks.missed} its process died: ${escapeMarkdown(short(seen.died, 90))}`
  if (seen.hung === true) return `${marks.missed} its process answered no more and was killed`
  // Every server without a GET stream earns this note, so it is shown only where that is the subject.
  const noted = (seen.notes ?? [])
    .map(({ code }) => code)
    .filter((code) => code !== "listening-unsupported" || cell.misbehaviour.name.startsWith("get-"))
  const lacks = verdict === "silent" || verdict === "missed" || verdict === "unmet"
  return [
    `${marks[verdict]} ${[...parts(seen), ...ending(seen)].join("; ")}`,
    ...(noted.length > 0 ? [`<sub>notes ${noted.join(", ")}</sub>`] : []),
    ...(lacks
      ? [`<sub>${verdict === "unmet" ? "" : "not: "}${escapeMarkdown(missing.join("; "))}</sub>`]
      : []),
  ].join("<br>")
}
