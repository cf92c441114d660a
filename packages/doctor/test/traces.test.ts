import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { encodeEvent, traceHeader } from "@entente/trace"
import { describe, expect, it } from "vitest"
import { diagnose, readLog } from "@entente/doctor"
import { fileOf, recorded, type Recorded } from "./traces/recorded.js"
import { variants } from "./variants/all-variants.js"
import { examineVariant } from "./variants/examine-variant.js"

/** A trace that is not there yet is recorded; one that is there stays as it is. */
const record = async (row: Recorded): Promise<void> => {
  const variant = variants.find(
    ({ name, era, over }) => name === row.variant && era === row.era && over === "http",
  )
  if (variant === undefined) throw new Error(`there is no variant ${row.variant}`)
  const { trace } = await examineVariant(variant)
  writeFileSync(fileOf(row), `${[traceHeader, ...trace.map(encodeEvent)].join("\n")}\n`)
}

describe.each(recorded)("the recorded trace of family $family", (row) => {
  it(`shows ${row.code}, and no part of it is healthy`, async () => {
    // On a machine that checks, a trace that was forgotten is a fault and not made good.
    if (!existsSync(fileOf(row)) && process.env["CI"] === undefined) await record(row)
    const { events, problems, format } = readLog(readFileSync(fileOf(row), "utf8"))
    expect([format, problems]).toEqual(["entente-trace", []])
    const { verdict, hypotheses } = diagnose(events)
    expect([hypotheses[0]?.code, hypotheses[0]?.family]).toEqual([row.code, row.family])
    expect(verdict).not.toBe("healthy")
  })
})
