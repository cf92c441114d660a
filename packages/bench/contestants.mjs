// Who takes part, in the order of the table's columns.

const everywhere = ["stdio", "http"]

export const contestants = [
  { name: "floor", over: everywhere, file: "floor.mjs" },
  { name: "floor-fetch", over: ["http"], file: "floor-fetch.mjs" },
  { name: "official", over: everywhere, file: "official.mjs" },
  { name: "entente-promise", over: everywhere, file: "entente-promise.mjs" },
  { name: "entente-effect", over: everywhere, file: "entente-effect.mjs" },
]

/** Opens a fresh connection of a contestant. */
export const openContestant = async ({ file }, target) => {
  const { open } = await import(`./contestants/${file}`)
  return open(target)
}
