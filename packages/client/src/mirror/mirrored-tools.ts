import type * as Stream from "effect/Stream"
import {
  mirroredParameters,
  type EntenteError,
  type Exclusion,
  type JsonObject,
  type MirroredParameter,
  type Quarantined,
} from "@entente/protocol"
import type { CallOptions } from "../call/call-options.js"
import type { Life } from "../life/life.js"

/** The list of tools, as far as it is read again to find one of them. */
export interface ToolPages {
  readonly pages: (options: CallOptions & { readonly refresh: true }) => Stream.Stream<
    {
      readonly items: ReadonlyArray<{ readonly name: string }>
      readonly quarantined: ReadonlyArray<Quarantined>
    },
    EntenteError
  >
}

interface DescribedTool {
  readonly name: string
  readonly inputSchema: JsonObject
}

/** As many as a walk of the list may bring by default. */
const defaultMaxItems = 100_000

const none: ReadonlyArray<MirroredParameter> = []

/**
 * What the newest descriptions of a server's tools say about arguments that leave as headers
 * (V26-XHDR-14). Every page of the list that is read, by whomever, is learnt from. Only tools with
 * annotations are kept, and no more of them than a list may have.
 */
export class MirroredTools {
  /** The list to look a tool up in; without one a call that was refused stays refused. */
  list: ToolPages | undefined
  /** What came of calls that were made again after their tool was read again. */
  readonly repaired = new WeakSet<object>()
  readonly #life: Life
  readonly #maxItems: number
  readonly #parameters = new Map<string, ReadonlyArray<MirroredParameter>>()

  constructor(life: Life, maxItems: number = defaultMaxItems) {
    this.#life = life
    this.#maxItems = maxItems
  }

  /** Whether arguments leave as headers at all: in the modern era over HTTP (V26-XHDR-02, V26-DUAL-12). */
  get active(): boolean {
    const { transportKind, agreement } = this.#life
    return transportKind === "streamable-http" && agreement.era === "modern"
  }

  /** The arguments of a tool that leave as headers; none where none of its descriptions was ever seen. */
  of(name: string): ReadonlyArray<MirroredParameter> {
    return (this.active ? this.#parameters.get(name) : undefined) ?? none
  }

  /** Learns from the description of a tool, or says why it may not be offered (V26-XHDR-04). */
  readonly learn = ({ name, inputSchema }: DescribedTool): Exclusion | undefined => {
    const read = mirroredParameters(inputSchema)
    // Taken out in any case, so that what was learnt last is also the last to be forgotten.
    this.#parameters.delete(name)
    if (!read.ok) {
      const { pointer, reason } = read
      return { code: "tool-left-out", pointer: `/inputSchema${pointer}`, reason }
    }
    if (read.parameters.length > 0) this.#keep(name, read.parameters)
    return undefined
  }

  #keep(name: string, parameters: ReadonlyArray<MirroredParameter>): void {
    this.#parameters.set(name, parameters)
    const [oldest] = this.#parameters.keys()
    if (this.#parameters.size > this.#maxItems && oldest !== undefined) {
      this.#parameters.delete(oldest)
    }
  }
}
