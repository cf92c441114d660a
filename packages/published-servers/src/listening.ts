import { spawn } from "node:child_process"
import { createServer } from "node:net"

/** A port that was free a moment ago, for servers that cannot be told to choose one. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        resolve(typeof address === "object" && address !== null ? address.port : 0),
      )
    })
  })

export interface Listening extends AsyncDisposable {
  /** What the server printed up to and with the line that was waited for. */
  readonly output: string
}

/** Starts an HTTP server and waits until it prints that it is ready. */
export const listening = (
  { command, args }: { readonly command: string; readonly args: ReadonlyArray<string> },
  ready: RegExp,
  env: Readonly<Record<string, string>> = {},
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env } })
    let output = ""
    const hear = (chunk: Buffer): void => {
      output += chunk.toString()
      if (ready.test(output)) resolve({ output, [Symbol.asyncDispose]: stop })
    }
    const ended = new Promise<void>((over) => child.once("exit", () => over()))
    const stop = async (): Promise<void> => {
      child.kill("SIGKILL")
      await ended
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    child.once("error", reject)
    child.once("exit", (code) =>
      reject(new Error(`ended with ${code} before it was ready: ${output}`)),
    )
  })
