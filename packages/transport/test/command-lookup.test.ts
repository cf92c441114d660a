import { describe, expect, it } from "vitest"
import { childEnvironment } from "../src/stdio/environment.js"
import { resolveCommand, type FileState } from "../src/stdio/resolve-command.js"

const fileSystem =
  (files: Readonly<Record<string, FileState>>) =>
  (path: string): FileState =>
    files[path] ?? "missing"

describe("resolveCommand on POSIX", () => {
  const look = (
    command: string,
    files: Readonly<Record<string, FileState>>,
    environment: Record<string, string> = { PATH: "/usr/local/bin:/usr/bin" },
  ) =>
    resolveCommand({
      command,
      cwd: "/home/me",
      environment,
      platform: "linux",
      fileState: fileSystem(files),
    })

  it("C059 takes the first executable on PATH", () => {
    const files = { "/usr/bin/npx": "executable", "/usr/local/bin/npx": "executable" } as const
    expect(look("npx", files)).toEqual({ kind: "Found", path: "/usr/local/bin/npx" })
  })

  it("C059 says which PATH it searched in vain", () => {
    expect(look("npx", {})).toEqual({ kind: "NotFound", searched: "/usr/local/bin:/usr/bin" })
    expect(look("npx", {}, {})).toEqual({ kind: "NotFound", searched: "/usr/bin:/bin" })
  })

  it("goes on past a file that may not be executed, and names it if there is no other", () => {
    const plain = { "/usr/local/bin/npx": "not-executable" } as const
    expect(look("npx", plain)).toEqual({ kind: "NotExecutable", path: "/usr/local/bin/npx" })
    const both = { ...plain, "/usr/bin/npx": "executable" } as const
    expect(look("npx", both)).toEqual({ kind: "Found", path: "/usr/bin/npx" })
  })

  it("takes a command with a slash from the working directory and never from PATH", () => {
    const files = { "/home/me/bin/srv": "executable", "/usr/bin/srv": "executable" } as const
    expect(look("bin/srv", files)).toEqual({ kind: "Found", path: "/home/me/bin/srv" })
    expect(look("/usr/bin/srv", files)).toEqual({ kind: "Found", path: "/usr/bin/srv" })
    expect(look("./srv", files)).toEqual({ kind: "NotFound", searched: undefined })
  })

  it("reads an empty or relative entry of PATH from the working directory", () => {
    const files = { "/home/me/srv": "executable", "/home/me/tools/x": "executable" } as const
    expect(look("srv", files, { PATH: "/bin:" })).toMatchObject({ path: "/home/me/srv" })
    expect(look("x", files, { PATH: "tools" })).toMatchObject({ path: "/home/me/tools/x" })
  })
})

describe("resolveCommand on Windows", () => {
  const look = (command: string, files: Readonly<Record<string, FileState>>, more = {}) =>
    resolveCommand({
      command,
      cwd: "C:\\work",
      environment: { Path: 'C:\\Node;"C:\\Quoted"', PATHEXT: ".COM;.EXE;.CMD", ...more },
      platform: "win32",
      fileState: fileSystem(files),
    })

  it("C059 finds npx.cmd behind npx, not the shell script of the same name", () => {
    const files = { "C:\\Node\\npx": "executable", "C:\\Node\\npx.cmd": "executable" } as const
    expect(look("npx", files)).toEqual({ kind: "Found", path: "C:\\Node\\npx.cmd" })
  })

  it("C059 tries the extensions in their order, and the name itself if it has one", () => {
    const files = { "C:\\Node\\x.exe": "executable", "C:\\Node\\x.cmd": "executable" } as const
    expect(look("x", files)).toMatchObject({ path: "C:\\Node\\x.exe" })
    expect(look("x.cmd", files)).toMatchObject({ path: "C:\\Node\\x.cmd" })
    expect(look("x", files, { PATHEXT: ".CMD" })).toMatchObject({ path: "C:\\Node\\x.cmd" })
  })

  it("resolves a path from the working directory, extension included", () => {
    const files = { "C:\\work\\bin\\srv.exe": "executable" } as const
    expect(look("bin\\srv", files)).toMatchObject({ path: "C:\\work\\bin\\srv.exe" })
    expect(look("bin/srv.exe", files)).toMatchObject({ path: "C:\\work\\bin\\srv.exe" })
  })

  it("does not look into the working directory for a bare name", () => {
    const files = { "C:\\work\\srv.exe": "executable" } as const
    for (const Path of ["C:\\Node;", ";", ""]) {
      expect(look("srv", files, { Path })).toEqual({ kind: "NotFound", searched: Path })
    }
  })
})

describe("childEnvironment", () => {
  const build = (
    platform: NodeJS.Platform,
    parent: Record<string, string>,
    more: Partial<Parameters<typeof childEnvironment>[0]> = {},
  ) => childEnvironment({ platform, parent, given: {}, inherit: false, ...more })

  const parent = {
    HOME: "/home/me",
    PATH: "/bin",
    LC_ALL: "de_DE.UTF-8",
    https_proxy: "http://proxy:3128",
    AWS_SECRET_ACCESS_KEY: "secret",
    GITHUB_TOKEN: "secret",
    TERM: "() { :; }; echo broken",
  }

  it("V25-STDIO-09 passes on what programs need and leaves secrets and functions behind", () => {
    const { HOME, PATH, LC_ALL, https_proxy } = parent
    expect(build("linux", parent)).toEqual({ HOME, PATH, LC_ALL, https_proxy })
  })

  it("passes on what is named, or everything", () => {
    const named = build("linux", parent, { inherit: ["AWS_*"] })
    expect(named).toHaveProperty("AWS_SECRET_ACCESS_KEY", "secret")
    expect(named).not.toHaveProperty("GITHUB_TOKEN")
    expect(build("linux", parent, { inherit: true })).toHaveProperty("GITHUB_TOKEN")
  })

  it("sets what is given, and takes away what is given as undefined", () => {
    const given = { TOKEN: "t", HOME: undefined }
    expect(build("darwin", parent, { given })).toMatchObject({ TOKEN: "t", PATH: "/bin" })
    expect(build("darwin", parent, { given })).not.toHaveProperty("HOME")
  })

  it("C106 knows what Windows programs need, in whatever case it is spelt", () => {
    const folders = ["windir", "SystemRoot", "ProgramData", "ProgramFiles", "ProgramFiles(x86)"]
    const names = ["PATHEXT", "ComSpec", "TMP", "TEMP", ...folders]
    const windows = Object.fromEntries([...names, "SECRET"].map((name) => [name, "x"]))
    expect(Object.keys(build("win32", windows)).toSorted()).toEqual(names.toSorted())
  })

  it("C106 lets a given Path replace PATH on Windows, and stand beside it elsewhere", () => {
    const given = { Path: "C:\\Mine" }
    expect(build("win32", { PATH: "C:\\Theirs" }, { given })).toEqual(given)
    expect(build("linux", { PATH: "/bin" }, { given })).toEqual({ PATH: "/bin", ...given })
  })
})
