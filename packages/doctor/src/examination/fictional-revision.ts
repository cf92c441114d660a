/** A revision that nobody will ever publish: a server that agrees to it agrees to anything. */
export const fictionalRevision = "2099-12-31"
