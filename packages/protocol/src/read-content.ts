import { isBase64 } from "./base64.js"
import { isJsonObject, type JsonObject } from "./json-rpc.js"
import { plainText } from "./plain-text.js"
import { ContentBlock, isContentType } from "./schema/content.js"
import type { Shape } from "./schema/open.js"
import { tolerates, type Note, type ToleranceCode, type TolerancePolicy } from "./tolerance.js"
import { validateTolerantly, type TolerantValidation } from "./validate-tolerantly.js"

/** A block of content, or what else may carry bytes, with a JSON pointer to it. */
interface Placed {
  readonly pointer: string
  readonly block: unknown
}

/** Where the blocks of a result are. */
interface BlockPlaces {
  readonly of: (result: JsonObject) => ReadonlyArray<Placed>
  /** The same result with other blocks in their places. */
  readonly put: (result: JsonObject, blocks: ReadonlyArray<unknown>) => JsonObject
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const places: { readonly [method: string]: BlockPlaces } = {
  "tools/call": {
    of: ({ content }) =>
      listOf(content).map((block, index) => ({ pointer: `/content/${index}`, block })),
    put: (result, blocks) => ({ ...result, content: blocks }),
  },
  // One block each (V25-PROMPT-01).
  "prompts/get": {
    of: ({ messages }) =>
      listOf(messages).map((message, index) => ({
        pointer: `/messages/${index}/content`,
        block: isJsonObject(message) ? message["content"] : undefined,
      })),
    put: (result, blocks) => ({
      ...result,
      messages: listOf(result["messages"]).map((message, index) =>
        isJsonObject(message) ? { ...message, content: blocks[index] } : message,
      ),
    }),
  },
}

/** Fits wherever a block belongs, so that all else can be judged without the blocks. */
const blank = { type: "text", text: "" }

/** What was tolerated in some blocks, by rule. */
class Findings {
  readonly #found = new Map<
    ToleranceCode,
    Array<{ readonly pointer: string; readonly what: string }>
  >()

  add(code: ToleranceCode, pointer: string, what: string): void {
    const found = this.#found.get(code)
    if (found === undefined) this.#found.set(code, [{ pointer, what }])
    else found.push({ pointer, what })
  }

  /** The notes, one for each rule, each naming all its places; or the first that is not tolerated. */
  judge<T>(value: T, notes: ReadonlyArray<Note>, policy: TolerancePolicy): TolerantValidation<T> {
    for (const [tolerance, [first]] of this.#found) {
      if (first === undefined || tolerates(policy, tolerance)) continue
      return { ok: false, pointer: first.pointer, reason: first.what, tolerance }
    }
    return this.#found.size === 0
      ? { ok: true, value, notes }
      : { ok: true, value, notes: [...notes, ...this.#notes] }
  }

  get #notes(): ReadonlyArray<Note> {
    return [...this.#found].map(([code, found]) => {
      const shown = found.slice(0, 10).map(({ pointer, what }) => `${pointer}: ${what}`)
      const more = found.length - shown.length
      return { code, detail: shown.join("; ") + (more > 0 ? `; and ${more} more` : "") }
    })
  }
}

/** What a block, or one of the contents of a resource, holds as bytes. */
const bytesOf = (holder: JsonObject): unknown => {
  switch (holder["type"]) {
    case "image":
    case "audio":
      return holder["data"]
    case "resource":
      return isJsonObject(holder["resource"]) ? holder["resource"]["blob"] : undefined
    case undefined:
      return holder["blob"]
    default:
      return undefined
  }
}

const inspectBytes = (value: unknown, pointer: string, findings: Findings): void => {
  const bytes = isJsonObject(value) ? bytesOf(value) : undefined
  if (typeof bytes === "string" && !isBase64(bytes)) {
    findings.add("broken-base64", pointer, "its Base64 cannot be decoded")
  }
}

/** What stands in a block that has its shape. */
const inspect = ({ pointer, block }: Placed, findings: Findings): void => {
  if (!isJsonObject(block)) return
  const type = String(block["type"])
  if (!isContentType(type)) {
    findings.add("unknown-content", pointer, `of the unknown kind ${shown(type)}`)
  }
  inspectBytes(block, pointer, findings)
}

const shown = (type: string): string => JSON.stringify(plainText(type, 60))

/** Nothing can be said of what does not even say what it is. */
const saysWhatItIs = (block: unknown): block is JsonObject & { readonly type: string } =>
  isJsonObject(block) && typeof block["type"] === "string"

/**
 * Checks a result as `validateTolerantly` does, block by block where it has content: one of an unknown kind,
 * or one that lacks what its kind demands, is kept in its place and costs none of the others (V25-TOOL-04,
 * C088). Each such deviation is one note that says where; where it is not tolerated, the result is refused.
 */
export const readContent = <T>(
  method: string,
  shape: Shape<T>,
  result: JsonObject,
  policy: TolerancePolicy,
): TolerantValidation<T> => {
  const findings = new Findings()
  const read = validateTolerantly(shape, result, policy)
  const place = Object.hasOwn(places, method) ? places[method] : undefined
  if (read.ok) {
    // Something with this shape is a JSON object, as it was before.
    const value = read.value as T & JsonObject
    for (const placed of place?.of(value) ?? []) inspect(placed, findings)
    listOf(value["contents"]).forEach((contents, index) =>
      inspectBytes(contents, `/contents/${index}`, findings),
    )
    return findings.judge(read.value, read.notes, policy)
  }
  return place === undefined ? read : (readBlocks(place, shape, result, policy, findings) ?? read)
}

/** The result again, where nothing but its blocks keeps it from its shape. */
const readBlocks = <T>(
  place: BlockPlaces,
  shape: Shape<T>,
  result: JsonObject,
  policy: TolerancePolicy,
  findings: Findings,
): TolerantValidation<T> | undefined => {
  const sent = place.of(result)
  if (sent.length === 0) return undefined
  const frame = validateTolerantly(
    shape,
    place.put(
      result,
      sent.map(() => blank),
    ),
    policy,
  )
  if (!frame.ok) return undefined
  const blocks: Array<unknown> = []
  const notes: Array<Note> = [...frame.notes]
  for (const placed of sent) {
    const { pointer, block } = placed
    const read = validateTolerantly(ContentBlock, block, policy)
    if (!read.ok && read.tolerance !== undefined) {
      return { ...read, pointer: pointer + read.pointer }
    }
    if (read.ok) {
      blocks.push(read.value)
      notes.push(...read.notes.map(({ code, detail }) => ({ code, detail: pointer + detail })))
      inspect({ pointer, block: read.value }, findings)
    } else if (saysWhatItIs(block)) {
      blocks.push(block)
      findings.add("malformed-content", pointer, `no ${shown(block.type)}`)
    } else {
      return undefined
    }
  }
  // Every block is one of the union: what does not fit its kind counts as of an unknown one.
  return findings.judge(place.put(frame.value as T & JsonObject, blocks) as T, notes, policy)
}
