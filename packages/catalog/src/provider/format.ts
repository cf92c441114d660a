/** The forms in which model APIs take tools. */
export const formats = [
  "anthropic",
  "openai",
  "openai-responses",
  "gemini",
  "bedrock",
  "ai-sdk",
] as const

export type Format = (typeof formats)[number]

export const isFormat = (word: string): word is Format =>
  (formats as ReadonlyArray<string>).includes(word)
