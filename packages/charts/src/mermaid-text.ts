import { statesIn, type ChartModel } from "./model/chart-model.js"

/**
 * What Mermaid's state diagrams would read as syntax. Everything of it can be written as `#NN;`, the
 * code point in decimal, in every place where text may stand.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const syntax = /["#;:{}<>%`\\\u0000-\u001f\u007f]/g

/** Text as Mermaid shows it literally, on one line. */
export const escapeText = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(syntax, (character) => `#${character.charCodeAt(0)};`)

/** Text of a note, in lines of at most `columns` characters; `end note` can't end it early. */
export const noteLines = (text: string, columns = 44): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line) => escapeText(line).replace(/\b(end) (?=note\b)/gi, "$1#32;"))
}

/**
 * An id for every state: the machine's id and the path, joined by `_`. States whose ids would fall
 * together are numbered in document order, so the same machine always gives the same ids.
 */
export const mermaidIds = ({ id: chart, root }: ChartModel): ReadonlyMap<string, string> => {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id: state } of statesIn(root)) {
    const wanted = [chart, ...(state === "" ? [] : state.split("."))]
      .map((part) => part.replace(/[^A-Za-z0-9]/g, "_"))
      .join("_")
    let id = wanted
    for (let count = 2; taken.has(id); count += 1) id = `${wanted}_${count}`
    taken.add(id)
    ids.set(state, id)
  }
  return ids
}
