import type { Startup } from "@entente/transport"

/** Milliseconds a package runner may be silent on stderr before its silence counts as that of a server. */
export const installerQuietMs = 10_000

/** How often, at most, a deadline that has passed is looked at again; milliseconds. */
const shortestLook = 250

/**
 * How many more milliseconds a request of the handshake may wait, although its own deadline has passed;
 * 0 for none. A package runner that still shows signs of life is installing, and silence on stdout says
 * nothing about the server that is to come (C061, C029). As soon as it has written to stdout the request
 * has its own deadline from there. Everything else has had its time.
 */
export const moreTime = (
  startup: Startup | undefined,
  deadlineMs: number,
  installMs: number,
): number => {
  if (startup?.runner === undefined) return 0
  const { phase, phaseMs, ageMs, quietMs } = startup
  const left =
    phase === "running"
      ? deadlineMs - phaseMs
      : Math.min(installerQuietMs - quietMs, installMs - ageMs)
  // Not all of it at once, because the phase may change meanwhile.
  return Math.max(0, Math.min(left, Math.max(deadlineMs, shortestLook)))
}
