export * from "./transport.js"
export { timersOn, type Timer, type Timers } from "./timers.js"
export { memory, type MemoryClient, type MemoryServer } from "./memory.js"
export { http } from "./http.js"
export { httpSse } from "./http-sse/http-sse.js"
export { streamableHttp, type HttpOptions, type HttpTimeouts } from "./streamable-http/http.js"
export type {
  HeaderRecord,
  HeaderSupplier,
  RequestDecorator,
  RequestHead,
} from "./streamable-http/request-decorator.js"
export type {
  CancelExchange,
  HttpAnswer,
  HttpEngine,
  HttpRequest,
  ProxyChoice,
} from "./streamable-http/http-engine.js"
export { fetchEngine, type Fetch } from "./streamable-http/fetch-engine.js"
export { webSocket, type WebSocketOptions } from "./websocket/websocket.js"
export type { Liveness } from "./websocket/liveness.js"
export type {
  PlatformWebSocket,
  PlatformWebSocketConstructor,
} from "./websocket/platform-socket.js"
export type { SubprotocolSupplier } from "./websocket/subprotocol.js"
export { excerpt } from "./foreign-text.js"
export { rejectionError } from "./rejection-error.js"
export { record, type RecordOptions } from "./wrapper/record.js"
export { replay, type ReplayOptions } from "./wrapper/replay.js"
export type { RecordingSource } from "./wrapper/recording.js"
export { faulty, type FaultyOptions } from "./wrapper/faulty.js"
export type {
  Direction,
  Fault,
  FaultCondition,
  FaultKind,
  FaultRule,
} from "./wrapper/fault-rule.js"
export { faultyEngine } from "./wrapper/faulty-engine.js"
export {
  faultyBytes,
  type ByteFault,
  type ByteSink,
  type FaultyBytes,
  type FaultyBytesOptions,
} from "./wrapper/faulty-bytes.js"
