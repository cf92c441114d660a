import { spawn } from "node:child_process"
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import { guardTree, processTree } from "../src/stdio/process-tree.js"
import { fixturePath } from "./stdio-fixture.js"

/** A stubborn process that leads a group of its own. */
const leader = async () => {
  const child = spawn(process.execPath, [fixturePath("stubborn")], { detached: true })
  await once(child.stdout, "data")
  return { child, tree: processTree(child.pid!, process.platform) }
}

describe("guardTree", { timeout: 30_000 }, () => {
  it("kills the tree when this process ends while it is guarded", async () => {
    const before = process.listeners("exit")
    const { child, tree } = await leader()
    const release = guardTree(tree)
    const [killTheLiving] = process.listeners("exit").filter((one) => !before.includes(one))
    const exited = once(child, "exit")
    // What Node calls when the process ends; ending this one would end the test.
    killTheLiving?.(0)
    expect(await exited).toEqual([null, "SIGKILL"])
    release()
    release()
    expect(process.listeners("exit")).toEqual(before)
  })
})

describe("processTree", () => {
  it("is quiet when nobody is left", async () => {
    const { child, tree } = await leader()
    const exited = once(child, "exit")
    tree.signal("SIGKILL")
    await exited
    expect(() => tree.signal("SIGTERM")).not.toThrow()
  })
})
