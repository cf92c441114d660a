import { canonicalJson } from "@entente/client"
import type { CallToolResult, ContentBlock } from "@entente/protocol"
import { jsonForms, type JsonForms } from "./json-text.js"
import type { JsonPart, TextPart } from "./part.js"
import { isSpoken, isTextBlock } from "./read-block.js"
import type { ResultReportEntry } from "./result-report.js"
import type { ResultRule } from "./result-rule.js"

/** Which of two forms of the same answer a model is told: data, or the text that stands for it. */
export type PreferredForm = "structured" | "text"

/** In which form the answer goes. */
export interface ChosenForm {
  /** Structured content, where that is what goes. */
  readonly structured: JsonPart | TextPart | undefined
  /** Whether blocks of text are left out for it. */
  readonly withoutText: boolean
  readonly report: ReadonlyArray<ResultReportEntry>
}

const pointer = "/structuredContent"

/** Whether a text is the same JSON as some structured content. */
const isCopy = (text: string, canonical: string): boolean => {
  try {
    return canonicalJson(JSON.parse(text)) === canonical
  } catch {
    return false
  }
}

const asPart = (
  forms: JsonForms,
  { json }: ResultRule,
  maxTextCharacters: number,
): JsonPart | TextPart => {
  const value = forms.value?.of
  if (forms.text.length > maxTextCharacters) return { kind: "text", text: forms.text, pointer }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
  return value !== undefined && (json === "any" || (json === "object" && isObject))
    ? { kind: "json", value }
    : { kind: "text", text: forms.text, pointer }
}

/** Says of each text that is left out whether it said the same. */
const supersededTexts = (
  content: ReadonlyArray<ContentBlock>,
  structured: unknown,
): ReadonlyArray<ResultReportEntry> => {
  const canonical = canonicalJson(structured)
  return content.flatMap((block, index): ReadonlyArray<ResultReportEntry> => {
    if (!isTextBlock(block) || !isSpoken(block)) return []
    const detail = isCopy(block.text, canonical)
      ? "The text is the same as the structured content, which is sent instead."
      : "The text is not sent, because the structured content is; it may say something else."
    return [{ kind: "superseded", pointer: `/content/${index}`, detail }]
  })
}

/**
 * Chooses between structured content and the texts beside it, because both would say the same twice. What a
 * failed tool says goes as text, where it says something: that is what explains the failure (V25-TOOL-05).
 */
export const chooseForm = (
  result: CallToolResult,
  content: ReadonlyArray<ContentBlock>,
  rule: ResultRule,
  wish: PreferredForm | undefined,
  maxTextCharacters: number,
): ChosenForm => {
  if (!Object.hasOwn(result, "structuredContent")) {
    return { structured: undefined, withoutText: false, report: [] }
  }
  const hasText = content.some(isSpoken)
  const preferred = wish ?? (rule.json === "none" ? "text" : "structured")
  if (hasText && (preferred === "text" || result.isError === true)) {
    const detail = "The structured content is not sent, because the text is."
    return {
      structured: undefined,
      withoutText: false,
      report: [{ kind: "superseded", pointer, detail }],
    }
  }
  const forms = jsonForms(result.structuredContent)
  if (typeof forms === "string") {
    const detail = `The structured content was left out: it ${forms}.`
    return {
      structured: { kind: "text", text: `[${detail}]`, pointer },
      withoutText: false,
      report: [{ kind: "dropped", pointer, detail }],
    }
  }
  const repaired: ReadonlyArray<ResultReportEntry> = forms.isRepaired
    ? [{ kind: "repaired", pointer, detail: "Halves of characters were replaced by U+FFFD." }]
    : []
  return {
    structured: asPart(forms, rule, maxTextCharacters),
    withoutText: true,
    report: [...repaired, ...supersededTexts(content, result.structuredContent)],
  }
}
