export { TraceFileFailed } from "./file-failure.js"
export { readTrace, type TraceSource } from "./file-reader.js"
export { FileRecorder, type FileRecorderOptions, type Recording } from "./file-recorder.js"
