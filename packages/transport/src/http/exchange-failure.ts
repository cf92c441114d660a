import {
  AuthorizationRequired,
  HttpRejected,
  InvalidInput,
  ProcessExited,
  ProtocolViolation,
  SpawnFailed,
  Unreachable,
  type TransportError,
} from "@entente/protocol"

/** Why an exchange did not come about: the server, the network, or what the caller gave. */
export type ExchangeFailure = TransportError | InvalidInput

const kinds = [
  AuthorizationRequired,
  HttpRejected,
  InvalidInput,
  ProcessExited,
  ProtocolViolation,
  SpawnFailed,
  Unreachable,
]

/** Whether something thrown by a supplier or decorator already says what is wrong. */
export const isExchangeFailure = (thrown: unknown): thrown is ExchangeFailure =>
  kinds.some((kind) => thrown instanceof kind)
