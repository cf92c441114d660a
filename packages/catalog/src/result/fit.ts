import { plainText } from "@entente/protocol"
import { withoutHalves } from "./json-text.js"
import { bytesIn, seenTypeOf, sizeText } from "./media.js"
import type { MediaPart, Part, TextPart } from "./part.js"
import { leftOut } from "./read-block.js"
import type { ResultReportEntry } from "./result-report.js"
import type { ResultRule } from "./result-rule.js"

/** How many parts a result has at most; a server decides how many blocks it sends. */
const partLimit = 1_000

const nouns = { image: "An image", document: "A document" }

/** Makes parts fit what a model API takes, one after another, and tells what did not. */
export class Fitting {
  readonly report: Array<ResultReportEntry> = []
  readonly #rule: ResultRule
  readonly #noMedia: string | undefined
  readonly #counts = { image: 0, document: 0 }
  #charactersLeft: number
  #bytesLeft: number
  #parts = 0

  /** @param noMedia why no file is taken at all, as the end of a sentence. */
  constructor(rule: ResultRule, noMedia: string | undefined, maxTextCharacters: number) {
    this.#rule = rule
    this.#noMedia = noMedia
    this.#charactersLeft = maxTextCharacters
    this.#bytesLeft = rule.maxTotalBytes
  }

  /** The part, what stands in its place, or nothing where it says nothing. */
  fit(part: Part): Part | undefined {
    // White space alone is refused as a text.
    if (part.kind === "text" && part.text.trim() === "") return undefined
    this.#parts++
    if (this.#parts > partLimit) return undefined
    if (part.kind === "json") return part
    return part.kind === "text" ? this.#text(part) : this.#media(part)
  }

  /** What is said of the parts beyond the limit. */
  get surplus(): TextPart | undefined {
    if (this.#parts <= partLimit) return undefined
    const pointer = "/content"
    const detail = `${this.#parts - partLimit} more blocks were left out: there are too many.`
    this.report.push({ kind: "dropped", pointer, detail })
    return { kind: "text", text: `[${detail}]`, pointer }
  }

  #text(part: TextPart): TextPart {
    const { pointer } = part
    const isCut = part.text.length > this.#charactersLeft
    const begun = part.text.slice(0, this.#charactersLeft)
    const kept = withoutHalves(isCut ? begun.replace(/\p{Surrogate}$/u, "") : begun)
    this.#charactersLeft -= kept.length
    if (isCut) {
      const detail = `Only ${kept.length} of ${part.text.length} characters are shown.`
      this.report.push({ kind: "truncated", pointer, detail })
      return { ...part, text: `${kept}\n[${detail}]`.trimStart() }
    }
    if (kept === part.text) return part
    const detail = "Halves of characters were replaced by U+FFFD."
    this.report.push({ kind: "repaired", pointer, detail })
    return { ...part, text: kept }
  }

  #media(part: MediaPart): Part {
    const bytes = bytesIn(part.data)
    const why = this.#whyNot(part, bytes)
    if (why === undefined) {
      this.#counts[part.kind]++
      this.#bytesLeft -= bytes
      return part
    }
    const what = `${nouns[part.kind]} (${plainText(part.type, 100)}, ${sizeText(bytes)})`
    const { part: sentence, entry } = leftOut(part.pointer, what, why)
    if (entry !== undefined) this.report.push(entry)
    return sentence
  }

  #whyNot({ kind, type, data }: MediaPart, bytes: number): string | undefined {
    const { types, maxBytes, maxCount } = this.#rule[kind]
    if (this.#noMedia !== undefined) return this.#noMedia
    if (!types.includes(type)) return "the model API does not take this type in results"
    // One that cannot be read costs the whole request.
    if (kind === "image" && seenTypeOf(data) !== type) return "its bytes are no such image"
    if (bytes > maxBytes) return `the model API takes ${sizeText(maxBytes)} at most`
    if (this.#counts[kind] >= maxCount) return `there are ${maxCount} before it already`
    return bytes > this.#bytesLeft ? "with those before it there are too many bytes" : undefined
  }
}
