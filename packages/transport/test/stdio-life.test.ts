import { describe, expect, it } from "vitest"
import type { ProcessExited } from "@entente/protocol"
import { stdio, type StdioOptions } from "@entente/transport/stdio"
import { openChannel, request, type Opened } from "./open-channel.js"
import { fixture, isAlive, untilGone } from "./stdio-fixture.js"

const fast = { closeInput: 30, terminate: 30 }
/** However slow this machine is, a process that leaves by itself is not pushed. */
const patient = { closeInput: 60_000 }

/** A shell that announces itself, does something to its pipes and lives on. */
const shell = (redirection: string, shutdownGrace: StdioOptions["shutdownGrace"] = {}) =>
  stdio({
    command: "sh",
    args: ["-c", `echo "{\\"ready\\":$$}"; ${redirection}; sleep 60`],
    shutdownGrace,
  })

/** The process id that a fixture has announced. */
const announced = async ({ recorder }: Opened): Promise<number> => {
  await recorder.until(({ messages }) => messages.length > 0)
  return (recorder.messages[0] as { ready: number }).ready
}

const processEvents = ({ events }: Opened): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "process" ? [`${event.event} ${event.detail}`] : []))

const statesOf = ({ events }: Opened): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "transition" ? [event.to] : []))

describe("the end of a server process", { timeout: 30_000 }, () => {
  it("V25-STDIO-08 V25-STDIO-10 tells the exit code and the last lines on stderr, once", async () => {
    await using opened = await openChannel(fixture("die"))
    const { ends, messages, notes } = await opened.recorder.until((one) => one.ends.length > 0)
    expect(messages).toEqual([{ jsonrpc: "2.0", method: "notifications/last" }])
    expect(notes).toMatchObject([{ code: "truncated-line" }])
    const [cause] = ends as [ProcessExited]
    expect(cause).toMatchObject({ _tag: "ProcessExited", code: "process-exited" })
    expect(cause.process).toMatchObject({ exitCode: 3, signal: undefined })
    expect(cause.process.stderr).toContain("API_KEY is not set")
    expect(cause.process.finding).toMatch(/^A line of 8 bytes has begun and not ended: ".*"\.$/)
    expect(cause.message).toContain("exit code 3")
    expect(JSON.stringify(cause)).not.toContain("abcdefghijklmnop")
    expect(opened.channel.process!()).toEqual(cause.process)
    expect(processEvents(opened)).toEqual(
      expect.arrayContaining(["stderr API_KEY is not set", "stderr giving up"]),
    )
    expect(processEvents(opened).join()).not.toContain("abcdefghijklmnop")
  })

  it("V25-STDIO-08 names the signal that killed it", async () => {
    await using opened = await openChannel(fixture("stubborn"))
    process.kill(await announced(opened), "SIGKILL")
    const { ends } = await opened.recorder.until((one) => one.ends.length > 0)
    expect(ends).toMatchObject([{ process: { exitCode: undefined, signal: "SIGKILL" } }])
  })

  it("fails what is sent afterwards, and certainly unseen", async () => {
    await using opened = await openChannel(fixture("die"))
    await opened.recorder.until(({ ends }) => ends.length > 0)
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: false,
      error: { _tag: "ProcessExited", process: { exitCode: 3 } },
    })
  })

  it("fails what the process did not take any more, without an unhandled EPIPE", async () => {
    await using opened = await openChannel(fixture("deaf"))
    const pid = await announced(opened)
    const params = { text: "x".repeat(1_000_000) }
    const sent = [1, 2, 3].map((id) => opened.send(request(id, "x", params)))
    process.kill(pid, "SIGKILL")
    expect(await Promise.all(sent)).toMatchObject([
      { _tag: "Failed", mayHaveArrived: true, error: { _tag: "ProcessExited" } },
      { _tag: "Failed", mayHaveArrived: false },
      { _tag: "Failed", mayHaveArrived: false },
    ])
  })

  it("ends a process that has stopped reading, and fails what was sent to it", async () => {
    const shutdownGrace = { ...fast, terminate: 60_000 }
    await using opened = await openChannel(shell("exec 0<&-", shutdownGrace))
    const pid = await announced(opened)
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Failed",
      error: { _tag: "ProcessExited", process: { signal: "SIGTERM" } },
    })
    expect(isAlive(pid)).toBe(false)
  })

  it("V26-STDIO-08 ends a process that has closed its output", async () => {
    const shutdownGrace = { ...fast, terminate: 60_000 }
    await using opened = await openChannel(shell("exec 1>&-", shutdownGrace))
    const { ends } = await opened.recorder.until((one) => one.ends.length > 0)
    expect(ends).toMatchObject([{ _tag: "ProcessExited", process: { signal: "SIGTERM" } }])
  })

  it("does not wait for a descendant that went its own way with the pipes", async () => {
    await using opened = await openChannel(fixture("strays"))
    const stray = await announced(opened)
    await opened.send(request(1))
    const { ends } = await opened.recorder.until((one) => one.ends.length > 0)
    expect(ends).toMatchObject([{ _tag: "ProcessExited", process: { exitCode: 0 } }])
    expect(isAlive(stray)).toBe(true)
    process.kill(stray, "SIGKILL")
    await untilGone(stray)
  })
})

describe("closing the scope", { timeout: 30_000 }, () => {
  it("V25-STDIO-07 closes stdin, and a server that leaves is sent no signal", async () => {
    const opened = await openChannel(fixture("echo", [], { shutdownGrace: patient }))
    await opened.close()
    expect(processEvents(opened).at(-1)).toBe("exited exit code 0")
    expect(processEvents(opened).filter((event) => event.startsWith("signalled"))).toEqual([])
    expect(statesOf(opened)).toEqual(["spawning", "starting", "closingInput", "exited"])
  })

  it("V25-STDIO-07 sends SIGTERM to a server that ignores the end of stdin", async () => {
    const shutdownGrace = { ...fast, terminate: 60_000 }
    const opened = await openChannel(fixture("leaves-on-sigterm", [], { shutdownGrace }))
    const pid = await announced(opened)
    await opened.close()
    expect(isAlive(pid)).toBe(false)
    expect(statesOf(opened)).toEqual([
      "spawning",
      "starting",
      "running",
      "closingInput",
      "terminating",
      "exited",
    ])
    expect(opened.channel.process!()).toMatchObject({ signal: "SIGTERM" })
  })

  it("V25-STDIO-07 V26-STDIO-07 sends SIGKILL to a server that ignores SIGTERM too", async () => {
    const opened = await openChannel(fixture("stubborn", [], { shutdownGrace: fast }))
    const pid = await announced(opened)
    await opened.close()
    expect(isAlive(pid)).toBe(false)
    expect(processEvents(opened)).toEqual(
      expect.arrayContaining(["signalled SIGTERM", "signalled SIGKILL", "exited signal SIGKILL"]),
    )
  })

  it("kills the descendants that the process leaves behind", async () => {
    const opened = await openChannel(fixture("parent", [], { shutdownGrace: patient }))
    const grandchild = await announced(opened)
    await opened.close()
    await untilGone(grandchild)
    expect(opened.channel.process!()).toMatchObject({ exitCode: 0 })
  })

  it("says nothing more to the receiver", async () => {
    const opened = await openChannel(fixture("die"))
    await opened.close()
    expect(opened.recorder).toMatchObject({ messages: [], notes: [], ends: [] })
  })

  it("leaves no listener on this process behind", async () => {
    const before = process.listenerCount("exit")
    const opened = await Promise.all([1, 2].map(() => openChannel(fixture("echo"))))
    expect(process.listenerCount("exit")).toBe(before + 1)
    await Promise.all(opened.map((one) => one.close()))
    expect(process.listenerCount("exit")).toBe(before)
  })
})
