import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { charts } from "@entente/charts"
import { describe, expect, it, onTestFinished } from "vitest"
import { buildCommand, runProcess } from "./built-command.js"
import { runHere } from "./world.js"

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), "entente-charts-"))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

describe("entente charts", () => {
  it("lists the charts", async () => {
    const { code, stdout } = await runHere(["charts"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^connection +\S/m)
    const json = await runHere(["charts", "--json"])
    expect(JSON.parse(json.stdout)).toContainEqual({
      name: "connection",
      description: expect.stringMatching(/\S/),
    })
  })

  it("prints one as Mermaid text where no person reads it", async () => {
    const { code, stdout } = await runHere(["charts", "childProcess"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^stateDiagram-v2\n/)
    const json = await runHere(["charts", "childProcess", "--json"], { isTTY: true })
    expect(JSON.parse(json.stdout)).toEqual({ name: "childProcess", mermaid: stdout })
  })

  it("shows a person an outline that fits the terminal, in colours", async () => {
    const { stdout } = await runHere(["charts", "connection"], { isTTY: true, columns: 60 })
    expect(stdout).toContain("\u001b[1mconnection\u001b[22m\n")
    // oxlint-disable-next-line no-control-regex -- the colours are taken off
    for (const line of stdout.replaceAll(/\u001b\[\d+m/g, "").split("\n")) {
      expect(line.length).toBeLessThanOrEqual(60)
    }
    const grey = await runHere(["charts", "connection", "--no-color"], { isTTY: true })
    expect(grey.stdout).not.toContain("\u001b")
  })

  it.each([
    ["text", "▸ ready › legacy\n"],
    ["mermaid", "class connection_ready_legacy active"],
    ["svg", '<g class="state atomic lit" data-state="ready.legacy">'],
  ])("marks a state in the format %s", async (format, mark) => {
    const line = ["charts", "connection", "--format", format]
    const { code, stdout } = await runHere([...line, "--state", "ready.legacy"])
    expect(code).toBe(0)
    expect(stdout).toContain(mark)
    expect((await runHere(line)).stdout).not.toContain(mark)
  })

  it("marks a state in each region", async () => {
    const states = ["--state", "live.status.working", "--state", "live.looking.asking"]
    const { stdout } = await runHere(["charts", "task", "--format", "text", ...states])
    expect(stdout).toContain("▸ live › status › working\n▸ live › looking › asking\n")
  })

  it("prints the JSON that XState takes, plain or beside its name", async () => {
    const { stdout } = await runHere(["charts", "task", "--format", "json"])
    const config: unknown = JSON.parse(stdout)
    expect(config).toMatchObject({ id: "task", initial: "live" })
    const json = await runHere(["charts", "task", "--format", "json", "--json"])
    expect(JSON.parse(json.stdout)).toEqual({ name: "task", json: config })
  })

  it.each([
    ["text", "txt"],
    ["mermaid", "mmd"],
    ["json", "json"],
  ])("writes all charts in the format %s, one file each", async (format, ending) => {
    const cwd = await folder()
    const { code, stdout } = await runHere(["charts", "--out", "a/b", "--format", format], { cwd })
    const files = Object.keys(charts).map((name) => `${name}.${ending}`)
    expect([code, stdout]).toEqual([0, files.map((file) => `${join("a/b", file)}\n`).join("")])
    expect((await readdir(join(cwd, "a/b"))).toSorted()).toEqual(files.toSorted())
  })

  it("writes one chart as a picture, the same that it prints", async () => {
    const cwd = await folder()
    const line = ["charts", "childProcess", "--format", "svg"]
    const { stdout } = await runHere([...line, "--out", ".", "--json"], { cwd })
    expect(JSON.parse(stdout)).toEqual([{ name: "childProcess", path: "childProcess.svg" }])
    const written = await readFile(join(cwd, "childProcess.svg"), "utf8")
    expect(written).toBe((await runHere(line)).stdout)
  })

  it.each([
    [["charts", "conection"], "There is no chart conection. Did you mean connection?"],
    [["charts", "conection", "--out", "."], "Did you mean connection?"],
    [["charts", "connection", "--state", "redy"], "has no state redy. Did you mean ready?"],
    [["charts", "connection", "--state", "legacy"], "Did you mean ready.legacy?"],
    [["charts", "connection", "--state", "__proto__"], "has no state __proto__."],
  ])("exits with 1 for %j", async (argv, message) => {
    const cwd = await folder()
    const { code, stdout, stderr } = await runHere(argv, { cwd })
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain(message)
    expect(await readdir(cwd)).toEqual([])
  })

  it("says so where a file cannot be written", async () => {
    const cwd = await folder()
    await writeFile(join(cwd, "taken"), "")
    const { code, stderr } = await runHere(["charts", "--out", "taken"], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain("The chart cannot be written: ")
  })
})

describe("the command, built", () => {
  it("draws a picture with code from a file of its own, which no other command reads", async () => {
    const { main, remove } = await buildCommand()
    onTestFinished(remove)
    const { stdout } = await runProcess(main, ["charts", "childProcess", "--format", "svg"])
    expect(stdout).toContain('data-state="spawning"')
    expect(await readFile(main, "utf8")).not.toContain("org.eclipse.elk")
    await rm(join(dirname(main), "pictures.js"))
    expect((await runProcess(main, ["charts", "childProcess"])).code).toBe(0)
    expect((await runProcess(main, ["charts", "childProcess", "--format", "svg"])).code).toBe(70)
  })
})
