export * from "./transport.js"
