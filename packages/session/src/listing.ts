import { initialListing } from "./listing-context.js"
import { listingParts } from "./listing-parts.js"

/** A list that is wanted is read as soon as its pause is over; until then it stands where it stands. */
const readWhenDue = <Reading extends "fetching" | "refreshing">(reading: Reading) =>
  ({
    always: { guard: "isDue", target: reading, actions: "beginUnasked" },
    after: { refreshPause: { guard: "isWanted", target: reading, actions: "beginUnasked" } },
  }) as const

/**
 * A walk meets notices and losses by itself and starts again (V25-LIST-02): the chart only records them. What was
 * missed it cannot know, so that another one follows when the server is heard again.
 */
const walking = listingParts.createStateConfig({
  invoke: { id: "walk", src: "walk" },
  on: {
    page: { actions: { type: "recordPage", params: ({ event }) => event } },
    read: { target: "settling", actions: { type: "take", params: ({ event }) => event } },
    failed: { target: "settling", actions: { type: "fail", params: ({ event }) => event } },
    refused: { target: "settling", actions: { type: "refuse", params: ({ event }) => event } },
    gaveUp: { guard: "isNobodys", target: "settling" },
    changed: { actions: "doubtChanged" },
    missed: { actions: ["doubtMissed", "missMeanwhile"] },
    heardAgain: { actions: ["missMeanwhile", "oweAnother"] },
    lost: { actions: ["goOffline", "doubtLost"] },
    recovered: { actions: [{ type: "comeBack", params: ({ event }) => event }, "drop"] },
    follow: { actions: "follow" },
    ask: {},
    overheard: {},
  },
})

/** One list of one server: whether what is known of it still holds, and when it is read again. */
export const listingMachine = listingParts.createMachine({
  id: "listing",
  description: "One list of a server: whether it still holds, and when it is read again.",
  context: ({ input }) => initialListing(input),
  initial: "settling",
  on: {
    ask: [
      { guard: "holdsNothing", target: ".fetching", actions: "beginAsked" },
      { target: ".refreshing", actions: "beginAsked" },
    ],
    follow: { target: ".settling", actions: "follow" },
    leave: { actions: "leave" },
    changed: { target: ".settling", actions: "doubtChanged" },
    missed: { target: ".settling", actions: "doubtMissed" },
    heardAgain: { target: ".settling", actions: "owe" },
    lost: { target: ".settling", actions: ["goOffline", "doubtLost"] },
    recovered: {
      target: ".settling",
      actions: [{ type: "comeBack", params: ({ event }) => event }, "drop", "owe"],
    },
    overheard: {
      target: ".settling",
      actions: { type: "takeOverheard", params: ({ event }) => event },
    },
    end: ".ended",
  },
  states: {
    settling: {
      description: "What is known of the list decides how it stands.",
      always: [
        { guard: "isWithdrawn", target: "unsupported" },
        { guard: "wasRefused", target: "unavailable" },
        { guard: "holdsNothing", target: "unknown" },
        { guard: "holdsPart", target: "partial" },
        { guard: "isNewChurn", target: "stale", actions: ["markChurn", "noteChurn"] },
        { guard: "isDoubted", target: "stale" },
        { guard: "isCached", target: "cached" },
        { target: "live" },
      ],
    },
    unknown: {
      description: "The list was never read.",
      always: { guard: "isDue", target: "fetching", actions: "beginUnasked" },
    },
    cached: {
      description: "There is a list from before, and nothing speaks against it.",
      after: { lifetime: { target: "stale", actions: "doubtExpired" } },
    },
    fetching: {
      description: "The list is read, page by page, and there is none to show yet.",
      ...walking,
    },
    live: {
      description: "The list is what the server has, as far as anybody can know.",
      after: { lifetime: { target: "stale", actions: "doubtExpired" } },
    },
    stale: {
      description: "The list may be out of date; it stays readable.",
      ...readWhenDue("refreshing"),
    },
    refreshing: {
      description: "The list is read again; the last good one stays readable.",
      ...walking,
    },
    partial: {
      description: "The list could not be read to its end; what came is there.",
      ...readWhenDue("refreshing"),
    },
    unsupported: { description: "The server does not declare the capability; nothing is sent." },
    unavailable: {
      description: "The server declares the list, and every attempt to read it has failed.",
      ...readWhenDue("fetching"),
    },
    ended: {
      description: "The connection is over: what was read stays readable, and stale.",
      type: "final",
    },
  },
  output: ({ context }) => ({ held: context.held }),
})
