export * from "./event.js"
export * from "./redact.js"
export * from "./trace.js"
