import { plainText } from "@entente/protocol"

/** Characters of a text in a report. */
const longest = 2_000

/**
 * A word that is a word and nothing else, wherever it stands in a line: no mark-up, no HTML, no entity, and nothing
 * that the places where such reports are pasted make a link of by themselves (addresses, mentions, numbers of
 * issues).
 */
const isHarmless = (word: string): boolean =>
  /^["'(]*(?:[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|[-+−±]?\d+(?:[.,:%-]\d+)*|[→←✓✗·–—…%×])?["')]*[.,;:!?…]*$/u.test(
    word,
  ) && !/^www\.?$|^[a-z]+-\d+$/i.test(word)

/** Text as code, whatever it holds: the fence is longer than any run of backticks in it. */
export const codeSpan = (text: string): string => {
  const line = plainText(text, longest)
  if (line === "") return ""
  const fence = fenceFor(line, 1)
  const space = line.startsWith("`") || line.endsWith("`") ? " " : ""
  return `${fence}${space}${line}${space}${fence}`
}

/** A run of backticks that does not occur in a text. */
export const fenceFor = (text: string, least: number): string => {
  const runs = text.match(/`+/g) ?? []
  return "`".repeat(Math.max(least, ...runs.map((run) => run.length + 1)))
}

/**
 * Text of anybody as Markdown of one line that is shown as it is. Words that could be anything else are shown as
 * code, in which nothing is mark-up, a mention or a link.
 *
 * @example
 * inline("Ask @somebody, see tools/list.") // "Ask `@somebody`, see `tools/list`."
 */
export const inline = (text: string): string => {
  const pieces: Array<{ readonly harmless: boolean; readonly words: Array<string> }> = []
  for (const word of plainText(text, longest).split(" ")) {
    const harmless = isHarmless(word)
    const last = pieces.at(-1)
    if (last?.harmless === harmless) last.words.push(word)
    else pieces.push({ harmless, words: [word] })
  }
  return pieces
    .map(({ harmless, words }) => (harmless ? words.join(" ") : codeAndEnd(words.join(" "))))
    .join(" ")
}

/** What ends a sentence is no part of the code. */
const codeAndEnd = (text: string): string => {
  const end = /(?<=.)[.,;!?]+$/.exec(text)?.[0] ?? ""
  return `${codeSpan(text.slice(0, text.length - end.length))}${end}`
}

/** A row of a table. */
export const row = (cells: ReadonlyArray<string>): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`

/** A table; its cells are Markdown. */
export const markdownTable = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): ReadonlyArray<string> => [row(head), row(head.map(() => "---")), ...rows.map(row)]

/** Lines as a block of code that none of them can end. */
export const codeBlock = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const fence = fenceFor(lines.join("\n"), 3)
  return [`${fence}text`, ...lines, fence]
}
