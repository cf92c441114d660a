import { isJsonObject, plainText } from "@entente/protocol"
import type { Case } from "../../case.js"
import type { Call, Mark } from "../../conversation/frame.js"
import { endOfProcess } from "../../conversation/process-end.js"
import { evidence, member } from "../../evidence.js"
import { hasPage, isSpokenWith } from "./how-far.js"
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
      if (call === undefined || end === undefined || endOfProcess(given.main.conversation)) {
        return undefined
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
  {
    code: "handshake-error",
    family: 0,
    stage: "negotiate",
    weight: "fails",
    title: "The server answers the handshake with an error",
    expected: "A result with protocolVersion, capabilities and serverInfo.",
    fix: {
      server:
        "Answer initialize, or server/discover in the newer era, before anything else is needed.",
      proxy:
        "Check that the server behind you is there: some proxies answer with an error of their own.",
      client: "Read the words of the error; check the settings of this server.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const { main, trace } = given
      if (isSpokenWith(main)) return undefined
      const reply = (main.opening.initializes.at(-1) ?? main.opening.probes.at(-1))?.reply
      if (reply?.kind !== "error") return undefined
      const said = plainText(reply.error.message, 80)
      return {
        confidence: 0.6,
        title: `The server answers the handshake with error ${reply.error.code}${said === "" ? "" : `: ${said}`}`,
        evidence: [evidence(trace, reply.index, `"code":${reply.error.code}`)],
      }
    },
  },
  {
    code: "handshake-misshapen",
    family: 0,
    stage: "negotiate",
    weight: "fails",
    title: "The server's answer to the handshake is not what it has to be",
    expected: "A result with protocolVersion, a text, and the objects capabilities and serverInfo.",
    fix: {
      server: "Answer with what the specification demands; an SDK does that by itself.",
      proxy: "Hand the answer on as it is.",
      client: "Nothing: tell the server's author.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const { main, trace } = given
      const { initializes, agreed } = main.opening
      const reply = initializes.at(-1)?.reply
      if (reply?.kind !== "result" || hasPage(main)) return undefined
      const { result } = reply
      const odd = ["protocolVersion", "capabilities"].find((name) =>
        name === "protocolVersion" ? typeof result[name] !== "string" : !isJsonObject(result[name]),
      )
      if (odd === undefined || (agreed !== undefined && main.walks.length > 0)) return undefined
      const present = result[odd] !== undefined
      return {
        confidence: 0.85,
        title: `The server's answer to the handshake has ${present ? "a broken" : "no"} ${odd}`,
        evidence: [evidence(trace, reply.index, present ? member(odd, result[odd]) : '"result"')],
      }
    },
  },
]
