import { posix, win32 } from "node:path"

/**
 * Programs that fetch or build another one before they start it, so that a first start takes as long as
 * a download does. The words are the subcommands that do so; where there are none, the program always does.
 */
const runners: Readonly<Record<string, ReadonlyArray<string>>> = {
  npx: [],
  npm: ["exec", "x"],
  pnpx: [],
  pnpm: ["dlx"],
  yarn: ["dlx"],
  bunx: [],
  bun: ["x"],
  deno: ["run"],
  uvx: [],
  uv: ["run", "tool"],
  pipx: ["run"],
  docker: [],
  podman: [],
  nix: ["run"],
  go: ["run"],
  cargo: ["run"],
  dnx: [],
}

const shells: Readonly<Record<string, RegExp>> = {
  sh: /^-[a-z]*c$/,
  bash: /^-[a-z]*c$/,
  zsh: /^-[a-z]*c$/,
  cmd: /^\/c$/i,
}

/**
 * The package runner that a command starts, if it is one: `npx`, or `pnpm dlx`. Such a process may be
 * busy for minutes before the server exists (C061).
 *
 * @example
 * packageRunnerOf("cmd", ["/c", "npx", "-y", "some-server"]) // "npx"
 */
export const packageRunnerOf = (
  command: string,
  args: ReadonlyArray<string>,
): string | undefined => {
  const program = nameOf(command)
  const shell = shells[program]
  if (shell)
    return inShell(
      args.findIndex((argument) => shell.test(argument)),
      args,
    )
  if (program === "env") {
    const [first, ...rest] = args.filter((argument) => !/^-|=/.test(argument))
    return first === undefined ? undefined : packageRunnerOf(first, rest)
  }
  const subcommands = Object.hasOwn(runners, program) ? runners[program] : undefined
  if (subcommands === undefined) return undefined
  if (subcommands.length === 0) return program
  const subcommand = args.find((argument) => !argument.startsWith("-"))
  return subcommand !== undefined && subcommands.includes(subcommand)
    ? `${program} ${subcommand}`
    : undefined
}

/** The line a shell is given: one argument after `sh -c`, the rest of them after `cmd /c`. */
const inShell = (option: number, args: ReadonlyArray<string>): string | undefined => {
  if (option === -1) return undefined
  const [first, ...rest] = args.slice(option + 1).flatMap((part) => part.trim().split(/\s+/))
  return first === undefined || first === "" ? undefined : packageRunnerOf(first, rest)
}

/** `npx` for `/usr/bin/npx` as well as for `C:\node\npx.cmd`. */
const nameOf = (command: string): string =>
  posix
    .basename(win32.basename(command))
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|ps1|com)$/, "")
