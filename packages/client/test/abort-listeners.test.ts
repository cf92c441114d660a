import { expect, it } from "vitest"
import { onAbort } from "../src/call/abort-listeners.js"

it("an abort calls everybody back once, in order, and nobody who took it back", () => {
  const controller = new AbortController()
  const called: Array<string> = []
  onAbort(controller.signal, () => called.push("first"))
  const release = onAbort(controller.signal, () => called.push("gone"))
  onAbort(controller.signal, () => called.push("second"))
  release()
  release()
  controller.abort()
  controller.signal.dispatchEvent(new Event("abort"))
  expect(called).toEqual(["first", "second"])
})

it("one that is taken back in the middle of an abort is not called, as with listeners of its own", () => {
  const controller = new AbortController()
  const called: Array<string> = []
  const releases: Array<() => void> = []
  onAbort(controller.signal, () => {
    called.push("first")
    for (const release of releases) release()
  })
  releases.push(onAbort(controller.signal, () => called.push("second")))
  controller.abort()
  expect(called).toEqual(["first"])
})
