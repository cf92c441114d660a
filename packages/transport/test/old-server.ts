import type { ServerResponse } from "node:http"
import { answerTo, event, eventStream, serve, type Arrived, type Server } from "./http-server.js"

export interface OldServerOptions {
  /** The reference that the `endpoint` event names. Default: `/messages?session=1`. */
  readonly endpoint?: string
  /** Writes the beginning of the stream. Default: the `endpoint` event. */
  readonly begin?: (stream: ServerResponse) => void
  /** Answers a POST. Default: 202, and the answer to a request on the stream. */
  readonly post?: (request: Arrived, response: ServerResponse, stream: ServerResponse) => void
}

export interface OldServer extends Server {
  /** The event stream that was opened last. */
  readonly stream: () => ServerResponse
  readonly posts: () => ReadonlyArray<Arrived>
}

export const endpointEvent = (reference: string): string =>
  `event: endpoint\ndata: ${reference}\n\n`

/** Acknowledges a message, and answers it on the stream if it is a request. */
export const answerOnStream = (
  request: Arrived,
  response: ServerResponse,
  stream: ServerResponse,
): void => {
  response.writeHead(202).end("Accepted")
  if (answerTo(request).id !== undefined) stream.write(event(answerTo(request)))
}

/** A real server of 2024-11-05: any GET opens the stream, any POST is a message. */
export const oldServer = async ({
  endpoint = "/messages?session=1",
  begin = (stream) => stream.write(endpointEvent(endpoint)),
  post = answerOnStream,
}: OldServerOptions = {}): Promise<OldServer> => {
  let stream: ServerResponse | undefined
  const current = (): ServerResponse => {
    if (stream === undefined) throw new Error("No stream is open")
    return stream
  }
  const server = await serve((request, response) => {
    if (request.method !== "GET") return post(request, response, current())
    stream = response
    begin(eventStream(response))
  })
  return {
    ...server,
    stream: current,
    posts: () => server.arrived.filter(({ method }) => method === "POST"),
  }
}
