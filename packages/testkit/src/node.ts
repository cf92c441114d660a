export { httpPeer, startHttpPeer, type HttpPeer } from "./http-peer.js"
export { startStdioPeer, stdioPeer, type StdioPeer } from "./stdio-peer.js"
