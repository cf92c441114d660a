export { httpPeer, startHttpPeer, type HttpPeer } from "./http-peer.js"
export { httpSsePeer, startHttpSsePeer, type HttpSsePeer } from "./http-sse-peer.js"
export { startStdioPeer, stdioPeer, type StdioPeer } from "./stdio-peer.js"
export { startWebSocketPeer, webSocketPeer, type WebSocketPeer } from "./web-socket-peer.js"
