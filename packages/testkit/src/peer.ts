import type { Journal } from "./journal.js"
import type { Player } from "./play.js"
import type { Match, Rule, Step } from "./script.js"

/** What tests hold of a scripted server, whatever it speaks over. */
export interface Peer extends Journal, AsyncDisposable {
  /**
   * Plays steps now: on every open channel or event stream, or, with `where`, on those that received
   * something that matches it, as a further part of that reply. So a request that was met with silence
   * can still be answered. Placeholders and ids come from what was received there: the latest match, or
   * what came first. Throws `InvalidInput` where nothing is open.
   *
   * @example
   * peer.play([{ result: { content: [] } }], { method: "tools/call" })
   * peer.play([{ destroy: true }], { httpMethod: "GET" })
   */
  readonly play: (steps: ReadonlyArray<Step>, where?: Match) => void
  /** Sends one message, word for word, and leaves the stream open; otherwise like `play`. */
  readonly send: (message: unknown, where?: Match) => void
  /** Puts a rule before all others. */
  readonly add: (rule: Rule) => void
  /** Replaces all rules; none of the new ones is used yet. */
  readonly replace: (rules: ReadonlyArray<Rule>) => void
  /** Goes away: cuts every connection and accepts no other. */
  readonly close: () => Promise<void>
  /** Goes away and comes back under the same address, rules and journal as they are. */
  readonly restart: () => Promise<void>
}

export interface Lifecycle {
  /** Resolves when nothing is accepted any more; may be called twice. */
  readonly stop: () => Promise<void>
  /** Accepts again, under the same address. */
  readonly start: () => Promise<void>
}

export const makePeer = (player: Player, { stop, start }: Lifecycle): Peer => {
  const close = async (): Promise<void> => {
    player.cut()
    await stop()
  }
  return {
    ...player.journal,
    play: player.play,
    send: (message, where) => player.play([{ message }, { silence: true }], where),
    add: player.add,
    replace: player.replace,
    close,
    restart: async () => {
      await close()
      await start()
    },
    [Symbol.asyncDispose]: close,
  }
}
