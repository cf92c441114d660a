import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { relay, type EndOfBytes } from "../../src/tap/relay.js"
import { bytesOf } from "./tapped.js"

describe("a relay", () => {
  it("goes on where its observer fails, and says once that it sees nothing any more", async () => {
    const [from, to] = [new PassThrough(), new PassThrough()]
    const causes: Array<unknown> = []
    let looked = 0
    const done = relay({
      from,
      to,
      copy: {
        chunk: () => {
          looked += 1
          throw new Error("cannot read this")
        },
        end: () => void (looked += 1),
      },
      blind: (cause) => causes.push(cause),
    })
    const heard = bytesOf(to)
    from.write("one ")
    from.end("two")
    await done
    expect((await heard).toString()).toBe("one two")
    expect(causes).toEqual([expect.objectContaining({ message: "cannot read this" })])
    expect(looked).toBe(1)
  })

  it("hands on before it looks, the end too", async () => {
    const [from, to] = [new PassThrough(), new PassThrough()]
    const order: Array<string> = []
    to.write = (bytes: Uint8Array) => order.push(`write ${bytes.toString()}`) > 0
    to.end = () => {
      order.push("end")
      return to
    }
    const end = new Promise<void>((resolve) => {
      const copy = {
        chunk: () => void order.push("looked at the chunk"),
        end: () => {
          order.push("looked at the end")
          resolve()
        },
      }
      void relay({ from, to, copy, blind: () => {} })
    })
    from.end("one")
    await end
    expect(order).toEqual(["write one", "looked at the chunk", "end", "looked at the end"])
  })

  const endOf = async (
    finish: (from: PassThrough, to: PassThrough) => void,
  ): Promise<EndOfBytes> => {
    const [from, to] = [new PassThrough(), new PassThrough()]
    const end = new Promise<EndOfBytes>((resolve) => {
      const copy = { chunk: () => {}, end: resolve }
      void relay({ from, to, copy, blind: () => {} })
    })
    finish(from, to)
    return end
  }

  it("knows an end from a break, and a writer from a reader", async () => {
    expect(await endOf((from) => from.end())).toBe("ended")
    expect(await endOf((from) => from.destroy())).toBe("cut-off")
    expect(await endOf((_, to) => to.destroy())).toBe("left")
  })

  it("takes no more than its reader does", async () => {
    const from = new PassThrough({ highWaterMark: 10 })
    const to = new PassThrough({ highWaterMark: 10 })
    void relay({ from, to, copy: { chunk: () => {}, end: () => {} }, blind: () => {} })
    let written = 0
    while (from.write(Buffer.alloc(10)) || written < 10) {
      written += 1
      await new Promise((turn) => setImmediate(turn))
      if (written > 100) break
    }
    expect(written).toBeLessThan(100)
    expect(to.readableLength + to.writableLength).toBeLessThanOrEqual(40)
  })
})
