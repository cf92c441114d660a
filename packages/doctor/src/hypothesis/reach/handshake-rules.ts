import type { Case } from "../../case.js"
import type { Call, Mark } from "../../conversation/frame.js"
import { endOfProcess } from "../../conversation/process-end.js"
import { evidence } from "../../evidence.js"
import { isSpokenWith, sumsUp } from "./how-far.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** The last question of a handshake that nobody has answered, where the handshake came to nothing. */
const unanswered = ({ main }: Case): Call | undefined =>
  isSpokenWith(main)
    ? undefined
    : [...main.opening.initializes, ...main.opening.probes]
        .toSorted((one, other) => other.index - one.index)
        .find(({ reply }) => reply === undefined)

/** Whether anybody gave up waiting. Without it the trace may just be too short. */
const gaveUp = ({ main }: Case): Mark | undefined =>
  main.conversation.failures.find(
    ({ code, message }) =>
      code === "handshake-timeout" ||
      code === "timeout" ||
      (code === "deadline-passed" && /did not begin to answer/.test(message)),
  ) ??
  main.conversation.transitions.find(({ chart, to }) => chart === "negotiation" && to === "refused")

const runners =
  /(?:^|[/\\ ])(?:npx|pnpx|bunx|uvx|pipx run|docker|podman|npm (?:exec|x)|pnpm dlx|yarn dlx|uv (?:run|tool)|nix run|dnx)(?:\.cmd|\.exe)?(?: |$)/

/** The package runner that the server's command is, where it is one. */
const runnerOf = ({
  main,
}: Case): { readonly name: string; readonly index: number } | undefined => {
  for (const { event, detail, index } of main.conversation.processes) {
    const name = event === "spawned" ? runners.exec(detail)?.[0].trim() : undefined
    if (name !== undefined) return { name, index }
  }
  return undefined
}

const installs = /install|download|fetch|pull|resolv|build|added \d+ packages|npm warn|layer/i

/** Family 0, a connection that opens, and a handshake on it that comes to nothing. */
export const handshakeRules: ReadonlyArray<Rule> = [
  {
    code: "runner-still-installing",
    family: 0,
    stage: "spawn",
    weight: "fails",
    title: "The package runner was still installing the server when the client gave up",
    expected: "A server that is installed before the client's time is over.",
    fix: {
      server: "Keep the package and its dependencies small.",
      proxy: "Keep the image or the package cache near.",
      client:
        "Run the command once in a terminal, so that everything is there; or raise the time for the start.",
    },
    next: examineAgain("--timeout 120"),
    supersedes: ["handshake-unanswered"],
    find: (given): Finding | undefined => {
      const call = unanswered(given)
      const runner = runnerOf(given)
      if (call === undefined || runner === undefined || gaveUp(given) === undefined)
        return undefined
      const sign = given.main.conversation.processes.findLast(
        ({ event, detail }) => event === "stderr" && installs.test(detail),
      )
      return {
        confidence: sign === undefined ? 0.6 : 0.85,
        evidence: [
          evidence(given.trace, runner.index, runner.name),
          ...(sign === undefined
            ? []
            : [evidence(given.trace, sign.index, installs.exec(sign.detail)?.[0])]),
        ],
      }
    },
  },
  {
    code: "handshake-unanswered",
    family: 0,
    stage: "negotiate",
    weight: "fails",
    title: "The server never answers the handshake",
    expected: "An answer to the first message, within seconds.",
    fix: {
      server:
        "Read stdin, or the request, from the beginning; answer before anything slow; flush what you write.",
      proxy: "Hand requests on at once, and do not buffer answers.",
      client:
        "Check that this command or address is an MCP server; raise the time for the handshake.",
    },
    next: examineAgain("--timeout 60"),
    find: (given): Finding | undefined => {
      const call = unanswered(given)
      const end = gaveUp(given)
      if (end === undefined || endOfProcess(given.main.conversation)) return undefined
      if (call === undefined) {
        // A log without messages has the client's word for it, and nothing else.
        return sumsUp(given.main)
          ? {
              confidence: 0.7,
              title: "The client gave up waiting for the server, as its log says",
              evidence: [evidence(given.trace, end.index)],
            }
          : undefined
      }
      return {
        confidence: 0.9,
        evidence: [
          evidence(given.trace, call.index, call.method),
          evidence(given.trace, end.index),
        ],
      }
    },
  },
]
