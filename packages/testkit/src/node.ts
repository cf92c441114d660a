export type { Address } from "./loopback.js"
export { httpPeer, startHttpPeer, type HttpPeer } from "./http-peer.js"
export { httpSsePeer, startHttpSsePeer, type HttpSsePeer } from "./http-sse-peer.js"
export { selfSigned } from "./self-signed.js"
export { serveStdio } from "./serve-stdio.js"
export { startStdioPeer, stdioPeer, type StdioPeer } from "./stdio-peer.js"
export { startWebSocketPeer, webSocketPeer, type WebSocketPeer } from "./web-socket-peer.js"
export { misbehaviourGroups, misbehaviours } from "./misbehaviour/catalogue.js"
export {
  scenesOf,
  type Attempt,
  type Misbehaviour,
  type Over,
  type Scene,
} from "./misbehaviour/misbehaviour.js"
export {
  startMisbehaviour,
  type MisbehaviourTarget,
  type StartedMisbehaviour,
} from "./misbehaviour/start-misbehaviour.js"
