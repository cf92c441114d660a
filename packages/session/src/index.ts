export * from "./child-process.js"
