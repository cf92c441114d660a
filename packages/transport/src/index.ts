export * from "./transport.js"
export { timersOn, type Timer, type Timers } from "./timers.js"
export { memory, type MemoryClient, type MemoryServer } from "./memory.js"
export { http } from "./http.js"
export { httpSse } from "./http-sse/http-sse.js"
export {
  streamableHttp,
  type HttpOptions,
  type HttpTimeouts,
} from "./streamable-http/streamable-http.js"
export type {
  HeaderRecord,
  HeaderSupplier,
  RequestDecorator,
  RequestHead,
} from "./http/request-decorator.js"
export type {
  CancelExchange,
  HttpAnswer,
  HttpEngine,
  HttpRequest,
  ProxyChoice,
} from "./http/engine/http-engine.js"
export { fetchEngine, type Fetch } from "./http/engine/fetch-engine.js"
export { webSocket, type WebSocketOptions } from "./websocket/websocket.js"
export type { Liveness } from "./websocket/liveness.js"
export type {
  PlatformWebSocket,
  PlatformWebSocketConstructor,
} from "./websocket/platform-socket.js"
export type { SubprotocolSupplier } from "./websocket/subprotocol.js"
export { excerpt } from "./foreign-text.js"
export { rejectionError } from "./http/rejection-error.js"
export { record } from "./wrapper/recording/record.js"
export type { RecordOptions } from "./wrapper/recording/recording-log.js"
export { replay, type ReplayOptions } from "./wrapper/replay/replay.js"
export type { RecordingSource } from "./wrapper/recording/recording.js"
export { faulty, type FaultyOptions } from "./wrapper/faulty/faulty.js"
export type {
  Direction,
  Fault,
  FaultCondition,
  FaultKind,
  FaultRule,
} from "./wrapper/faulty/fault-rule.js"
export { faultyEngine } from "./wrapper/faulty/faulty-engine.js"
export {
  faultyBytes,
  type ByteFault,
  type ByteSink,
  type FaultyBytes,
  type FaultyBytesOptions,
} from "./wrapper/faulty/faulty-bytes.js"
export { isLoopback } from "./loopback.js"
