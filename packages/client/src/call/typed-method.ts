/** Methods with a typed call of their own. */
export type TypedMethod = "tools/call" | "prompts/get" | "resources/read" | "completion/complete"
