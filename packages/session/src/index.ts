export * from "./agreement.js"
export { outcomeOf, type Answer, type Dialect } from "./answer.js"
export * from "./chart-index.js"
export * from "./child-process.js"
export { classifyInitialize, type InitializeReading } from "./classify-initialize.js"
export { classifyProbe, type ProbeReading } from "./classify-probe.js"
export { effectClock, type ChartClock, type Timer } from "./clock.js"
export { connectionMachine } from "./connection.js"
export {
  defaultReconnect,
  type ChannelLoss,
  type ConnectionEvent,
  type ConnectionInput,
  type ConnectionOutcome,
  type ReconnectPolicy,
} from "./connection-context.js"
export { isDiscoverResult } from "./discover-result.js"
export * from "./envelope.js"
export { failureOf } from "./failure.js"
export type { Fork } from "./fork.js"
export { fromEffect } from "./from-effect.js"
export {
  httpSessionMachine,
  type HttpSessionEvent,
  type HttpSessionInput,
  type HttpSessionOutcome,
  type Renewal,
} from "./http-session.js"
export { negotiationMachine } from "./negotiation.js"
export type {
  Contradiction,
  NegotiationEvent,
  NegotiationInput,
  NegotiationOutcome,
} from "./negotiation-context.js"
export type {
  Confirmation,
  ConfirmInput,
  InitializeInput,
  Opened,
  ProbeInput,
} from "./negotiation-exchange.js"
export { plainText, stringsIn } from "./plain-text.js"
export type { RefusalReason } from "./refusal.js"
export { parseSessionId, type SessionId } from "./session-id.js"
export { subscriptionMachine } from "./subscription.js"
export {
  defaultSubscription,
  grantsNothing,
  reopenDelay,
  type AcknowledgedFilter,
  type Drop,
  type SubscriptionEvent,
  type SubscriptionInput,
  type SubscriptionOutcome,
  type SubscriptionPolicy,
  type SubscriptionReason,
} from "./subscription-context.js"
export { troubleOf, type Trouble } from "./trouble.js"
export {
  readVerdict,
  rememberDiscover,
  verdictForAnother,
  withoutDiscover,
  type LegacyVerdict,
  type ModernVerdict,
  type Quirk,
  type Verdict,
} from "./verdict.js"
export {
  bestLegacy,
  bestModern,
  candidatesOf,
  type Candidates,
  type NegotiationMode,
} from "./version-choice.js"
export { taskMachine } from "./task.js"
export {
  defaultTaskPolicy,
  hasEnded,
  lookDelay,
  type AskedEvent,
  type TaskEnd,
  type TaskEvent,
  type TaskInput,
  type TaskOutcome,
  type TaskPolicy,
  type TaskReport,
} from "./task-context.js"
