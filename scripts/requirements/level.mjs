// What a level asks of the client. A level is one keyword, or several joined by " / "; what stands in
// parentheses says where the keyword comes from, and changes nothing.

const keywords = (level) => level.split(" / ").map((part) => part.replace(/ \(.*\)$/, ""))

const demanding = new Set(["MUST", "MUST NOT", "SHAPE"])
const recommending = new Set(["SHOULD", "SHOULD NOT"])

/** The client has to: there must be a test, or an excuse. SHAPE binds both sides like a MUST. */
export const isDemanded = (level) => keywords(level).some((keyword) => demanding.has(keyword))

/** The client ought to, and does not have to: shown, not demanded. */
export const isRecommended = (level) =>
  !isDemanded(level) && keywords(level).some((keyword) => recommending.has(keyword))
