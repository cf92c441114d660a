import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { FileRecorder, readTrace, TraceFileFailed, type TraceSource } from "../src/file.js"
import { Trace, type TraceEvent, traceHeader, type TraceLine } from "../src/index.js"

let folder = ""
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "trace-"))))
afterEach(() => rmSync(folder, { recursive: true }))

const note = (seq: number, detail = ""): TraceEvent => ({
  type: "note",
  seq,
  at: 0,
  code: "late-reply",
  detail,
})

const read = async (source: string | TraceSource): Promise<ReadonlyArray<TraceLine>> => {
  const lines: Array<TraceLine> = []
  for await (const line of readTrace(source)) lines.push(line)
  return lines
}

const sequence = (lines: ReadonlyArray<TraceLine>) =>
  lines.map((line) => (line.kind === "problem" ? line.code : line.event.seq))

const mode = (path: string): number => statSync(path).mode & 0o777

describe("a recorder", () => {
  it("writes a trace that a reader gives back, redacted", async () => {
    const path = join(folder, "trace.jsonl")
    const trace = new Trace({}, () => 7)
    const recorder = new FileRecorder(path)
    const stop = trace.subscribe(recorder.read)
    for (let id = 0; id < 500; id++) {
      trace.emit({ type: "frame", direction: "out", message: { id, token: "abc" } })
    }
    stop()
    expect(await recorder.close()).toEqual({ written: 500, dropped: 0 })
    const lines = await read(path)
    expect(sequence(lines)).toEqual(Array.from({ length: 500 }, (_, seq) => seq))
    expect(lines[499]).toMatchObject({
      event: { at: 7, message: { id: 499, token: "‹redacted›" } },
    })
    expect(readFileSync(path, "utf8")).not.toContain("abc")
  })

  it("creates the file for its owner alone, and takes others' rights from one that was there", async () => {
    const fresh = join(folder, "fresh.jsonl")
    await new FileRecorder(fresh).close()
    expect(mode(fresh)).toBe(0o600)
    const old = join(folder, "old.jsonl")
    writeFileSync(old, "", { mode: 0o644 })
    await new FileRecorder(old).close()
    expect(mode(old)).toBe(0o600)
  })

  it("appends, after a line that was broken off too", async () => {
    const path = join(folder, "trace.jsonl")
    for (let session = 0; session < 2; session++) {
      await using recorder = new FileRecorder(path)
      recorder.read(note(0))
    }
    expect(sequence(await read(path))).toEqual([0, 0])
    writeFileSync(path, '{"type":"no', { flag: "a" })
    const recorder = new FileRecorder(path)
    recorder.read(note(0))
    await recorder.close()
    expect(sequence(await read(path))).toEqual([0, 0, "not-json", 0])
  })

  it("writes only a header when nothing happened", async () => {
    const path = join(folder, "trace.jsonl")
    expect(await new FileRecorder(path).close()).toEqual({ written: 0, dropped: 0 })
    expect(readFileSync(path, "utf8")).toBe(`${traceHeader}\n`)
  })

  it("never holds more than it may: the rest is dropped, counted, and seen as a gap", async () => {
    const path = join(folder, "trace.jsonl")
    const recorder = new FileRecorder(path, { maxQueued: 10_000 })
    for (let seq = 0; seq < 100; seq++) recorder.read(note(seq, "x".repeat(1_000)))
    expect(recorder.dropped).toBe(91)
    await expect.poll(() => statSync(path).size).toBeGreaterThan(9_000)
    await expect
      .poll(() => {
        const before = recorder.dropped
        recorder.read(note(100))
        return recorder.dropped - before
      })
      .toBe(0)
    const { written } = await recorder.close()
    expect(written).toBe(10)
    expect(sequence(await read(path))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, "gap", 100])
  })

  it("reports a file it cannot open once, and drops what comes", async () => {
    const failures: Array<TraceFileFailed> = []
    const recorder = new FileRecorder(join(folder, "missing", "trace.jsonl"), {
      onFailure: (failure) => failures.push(failure),
    })
    recorder.read(note(0))
    await expect.poll(() => failures.length).toBe(1)
    recorder.read(note(1))
    expect(await recorder.close()).toEqual({ written: 0, dropped: 2 })
    expect(failures).toHaveLength(1)
    expect(failures[0]).toBeInstanceOf(TraceFileFailed)
    expect(failures[0]).toMatchObject({ operation: "open", cause: { code: "ENOENT" } })
  })

  it.runIf(process.platform === "linux")("reports a full disk once", async () => {
    const failures: Array<TraceFileFailed> = []
    const recorder = new FileRecorder("/dev/full", {
      onFailure: (failure) => {
        failures.push(failure)
        throw new Error("the callback's own loss")
      },
    })
    recorder.read(note(0))
    expect(await recorder.close()).toEqual({ written: 0, dropped: 1 })
    expect(failures).toMatchObject([{ operation: "write", cause: { code: "ENOSPC" } }])
  })

  it("drops and counts an event that JSON cannot say", async () => {
    const recorder = new FileRecorder(join(folder, "trace.jsonl"))
    recorder.read({ type: "frame", seq: 0, at: 0, direction: "out", message: 7n })
    recorder.read(note(1))
    expect(await recorder.close()).toEqual({ written: 1, dropped: 1 })
  })

  it("takes nothing after it was closed, and closes once", async () => {
    const recorder = new FileRecorder(join(folder, "trace.jsonl"))
    recorder.read(note(0))
    const closing = recorder.close()
    recorder.read(note(1))
    expect(await closing).toEqual({ written: 1, dropped: 1 })
    expect(await recorder.close()).toEqual({ written: 1, dropped: 1 })
  })
})

describe("a reader", () => {
  it("fails with a typed error where the file cannot be read", async () => {
    await expect(read(join(folder, "missing.jsonl"))).rejects.toMatchObject({
      _tag: "TraceFileFailed",
      operation: "read",
      cause: { code: "ENOENT" },
    })
  })

  it("reads bytes and texts, cut inside a character", async () => {
    const bytes = Buffer.from(`${traceHeader}\n${JSON.stringify(note(0, "é\u{1f600}"))}\n`)
    for (let at = 0; at <= bytes.length; at++) {
      const cut = (async function* () {
        yield bytes.subarray(0, at)
        yield bytes.subarray(at)
      })()
      expect(await read(cut)).toMatchObject([{ event: { detail: "é\u{1f600}" } }])
    }
    const texts = (async function* () {
      yield* [traceHeader, "\n", JSON.stringify(note(3))]
    })()
    expect(sequence(await read(texts))).toEqual([3])
  })

  it("lets go of its source when the loop is left", async () => {
    let released = false
    const source = (async function* () {
      try {
        yield `${traceHeader}\n${JSON.stringify(note(0))}\n`
        yield JSON.stringify(note(1))
      } finally {
        released = true
      }
    })()
    for await (const line of readTrace(source)) {
      expect(line.kind).toBe("event")
      break
    }
    expect(released).toBe(true)
  })
})
