import type { Attempt, Misbehaviour, Scene } from "../misbehaviour/misbehaviour.js"
import { startMisbehaviour, type StartedMisbehaviour } from "../misbehaviour/start-misbehaviour.js"
import type { Address } from "../loopback.js"
import { serveStdio } from "../serve-stdio.js"
import type { Io } from "./io.js"
import { receivedLine } from "./received-line.js"

const attempts: Readonly<Record<Attempt, string>> = {
  connect: "connect",
  "list-tools": "connect and list all tools",
  "call-echo": 'connect, list the tools and call echo with { "text": "hello" }',
  wait: "connect, list the tools and wait a few seconds",
}

/** What to expect, for people. */
const story = (one: Misbehaviour): ReadonlyArray<string> => [
  `The server:    ${one.sentence}`,
  `Try:           ${attempts[one.try]}.`,
  `A good client: ${one.outcome}`,
  `About:         ${one.ids.join(", ")}`,
]

/** Serves until the user ends it. The first line on stdout is the address. */
const serveAtAddress = async (
  misbehaviour: Misbehaviour,
  scene: Scene,
  address: Address,
  io: Io,
): Promise<number> => {
  let started: StartedMisbehaviour
  try {
    started = await startMisbehaviour(misbehaviour.name, scene, address)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "unknown"
    io.stderr.write(`The address cannot be used: ${why}\n`)
    return 1
  }
  const { target, peer, again, close } = started
  if (target.kind === "stdio") return 1 // no scene of an address
  const line = (text: string): void => void io.stdout.write(`${text}\n`)
  line(target.url)
  line("")
  line(`${misbehaviour.name} over ${scene.over}, ${scene.era} era`)
  for (const told of story(misbehaviour)) line(told)
  line("")
  line(
    misbehaviour.once === true
      ? "Enter begins the story anew, for another client; Ctrl-C ends it."
      : "Ctrl-C ends it.",
  )
  line("")
  peer.watch((arrival) => line(receivedLine(arrival)))
  if (misbehaviour.once === true) {
    io.onEnter(() => {
      again()
      line("The story begins anew.")
    })
  }
  await io.interrupted()
  await close()
  return 0
}

/** Is the server itself, on stdin and stdout; ends only with the process. */
const serveOnStdio = (
  misbehaviour: Misbehaviour,
  scene: Scene,
  log: boolean,
  io: Io,
): Promise<number> => {
  const line = (text: string): void => void io.stderr.write(`${text}\n`)
  if (io.isInteractive) {
    const args = ["-y", "-p", "@entente/testkit", "entente-testkit", "serve", misbehaviour.name]
    for (const told of story(misbehaviour)) line(told)
    line("This is a server on stdin and stdout. A client starts it with such a configuration:")
    line(JSON.stringify({ command: "npx", args: [...args, "--over", "stdio"] }))
  }
  const journal = serveStdio(misbehaviour.script(scene))
  if (log) journal.watch((arrival) => line(receivedLine(arrival)))
  return new Promise(() => {})
}

export interface Serving {
  readonly misbehaviour: Misbehaviour
  readonly scene: Scene
  readonly address: Address
  /** stdio: tells on stderr what is received. */
  readonly log: boolean
}

/** Serves a misbehaviour to whoever comes; resolves with the exit code. */
export const serve = ({ misbehaviour, scene, address, log }: Serving, io: Io): Promise<number> =>
  scene.over === "stdio"
    ? serveOnStdio(misbehaviour, scene, log, io)
    : serveAtAddress(misbehaviour, scene, address, io)
