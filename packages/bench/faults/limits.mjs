// The times that bound a cell, in milliseconds: the same for every client.

/** What each client is told a handshake and a request may take. */
export const clientLimit = 5_000

/** What a client over stdio is told a probe of the era may take: Entente's default. */
export const probeLimit = 1_500

/** After this long a step counts as one that never ends, and the client is torn down. */
export const stepLimit = 14_000

/** After this long a cell is ended from outside: its process answers to nobody any more. */
export const cellLimit = 75_000

/** How long `wait` waits for what the server does by itself. */
export const waiting = 3_500

/** How long a client stays connected after its last step. */
export const lingering = 400

/** Up to here a step counts as settled by itself, well before the client's own limit. */
export const atOnce = 4_000

/** What a step may take that ends at the client's limit; a handshake has two requests. */
export const atLimit = { connect: 2 * clientLimit + 2_500, other: clientLimit + 2_500 }

/** How long closing may take: the ladder of stdio has three rungs, and nobody says how long to wait on each. */
export const closeLimit = 12_000
