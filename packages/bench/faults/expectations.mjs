// What the outcome of each misbehaviour demands, as questions that can be answered with no.
import { connecting } from "./expectations/connecting.mjs"
import { calling } from "./expectations/calling.mjs"
import { listing } from "./expectations/listing.mjs"
import { channels } from "./expectations/channels.mjs"

export const expectations = { ...connecting, ...listing, ...calling, ...channels }

/** The checks of a misbehaviour in a scene. */
export const expectationOf = ({ name }, scene) => {
  const expectation = expectations[name]
  if (expectation === undefined) throw new Error(`No expectation for ${name}`)
  return typeof expectation === "function" ? expectation(scene) : expectation
}
