import type { Format } from "./format.js"

/** What a model API allows as the name of a tool. */
export interface NameRule {
  /** Characters that a name may begin with, as the inside of a character class. */
  readonly first: string
  /** Characters that may follow. */
  readonly rest: string
  /** How many characters in all. */
  readonly maxLength: number
}

const wordAndHyphen = { first: "a-zA-Z0-9_-", rest: "a-zA-Z0-9_-", maxLength: 64 }

/**
 * The rules as they were published in November 2026. Gemini allows more in its newest types (a dot, a colon,
 * 128 characters); the intersection of its versions is used, because nobody can tell which one is asked. The
 * AI SDK has no rule of its own and hands names to any of the others, so it gets what all of them allow.
 */
export const nameRules: Readonly<Record<Format, NameRule>> = {
  anthropic: wordAndHyphen,
  openai: wordAndHyphen,
  "openai-responses": wordAndHyphen,
  gemini: { first: "a-zA-Z_", rest: "a-zA-Z0-9_.-", maxLength: 64 },
  bedrock: wordAndHyphen,
  "ai-sdk": { first: "a-zA-Z_", rest: "a-zA-Z0-9_-", maxLength: 64 },
}

/** What the catalog's own ids look like: any provider above takes them unchanged. */
export const idRule: NameRule = { first: "a-zA-Z_", rest: "a-zA-Z0-9_-", maxLength: 64 }
