export type { ClientStreams } from "./stdio/own-streams.js"
export type { ServerEnd } from "./stdio/stdio-observer.js"
export { tapStdio, type StdioTap, type TapStdioOptions } from "./stdio/tap-stdio.js"
export { tapHttp, type HttpTap, type TapHttpOptions } from "./http/tap-http.js"
