export * from "./event.js"
export { recognise, type Recognised, type UnknownEvent } from "./event-shape.js"
export {
  encodeEvent,
  type LineProblem,
  TraceDecoder,
  traceFormatVersion,
  traceHeader,
  type TraceLine,
} from "./jsonl.js"
export { redactCommand } from "./redact-command.js"
export { redactHeaders } from "./redact-headers.js"
export { redactMessage } from "./redact-message.js"
export { redactText, redactUrl } from "./redact-text.js"
export { redactEvent } from "./redact.js"
export { redacted, type RedactionPolicy } from "./redaction-policy.js"
export { Ring, type RingLimits } from "./ring.js"
export { isStandIn, StandIns } from "./stand-in.js"
export * from "./trace.js"
