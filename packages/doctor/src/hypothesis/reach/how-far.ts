import type { Act, Case } from "../../case.js"
import type { Failure } from "../../conversation/failure.js"

/** Whether the server has answered a handshake, or a request that needs none. */
export const isSpokenWith = ({ era, opening }: Act): boolean =>
  era !== undefined || opening.agreed !== undefined

/** Whether a page of tools has come, be it empty. */
export const hasPage = ({ walk }: Act): boolean =>
  walk?.pages.some(({ reading }) => reading?.ok === true) === true

/** Whether there is no message at all, only what a client's log says of the connection. */
export const sumsUp = ({ conversation }: Act): boolean => {
  const { frames, exchanges, channels, notes, processes, errors } = conversation
  if (frames.length + exchanges.length + channels.length > 0) return false
  return notes.some(({ code }) => code === "client-said") || processes.length + errors.length > 0
}

/** The first failure of a kind, while no list has come: afterwards it is no reason for missing tools. */
export const failedBefore = (
  { main }: Case,
  isMeant: (failure: Failure) => boolean,
): Failure | undefined => (hasPage(main) ? undefined : main.conversation.failures.find(isMeant))

/** The same before the server was spoken with. */
export const failedAtFirst = (
  given: Case,
  isMeant: (failure: Failure) => boolean,
): Failure | undefined => (isSpokenWith(given.main) ? undefined : failedBefore(given, isMeant))
