import type { Tool } from "@entente/protocol"
import type { TraceEvent } from "@entente/trace"
import { readCase } from "./case.js"
import { listedBy } from "./counts.js"

/** The valid tools of the fullest list that a trace shows of its server, each name once; redacted, as the trace is. */
export const toolsIn = (trace: ReadonlyArray<TraceEvent>): ReadonlyArray<Tool> =>
  listedBy(readCase(trace, {}))?.tools ?? []
