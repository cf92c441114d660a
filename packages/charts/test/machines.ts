import { and, assign, fromPromise, not, or, setup, stateIn, type AnyStateMachine } from "xstate"

const parts = setup({
  actors: { handshake: fromPromise(() => Promise.resolve("welcome")) },
  actions: { note: () => {}, greet: (_, params: { readonly name: string }) => void params.name },
  guards: {
    canRetry: (_, params: { readonly max: number }) => params.max > 0,
    isOpen: () => true,
    isIdle: () => true,
  },
  delays: { patience: 1_000 },
})

/** One machine with every construct that a chart may use. */
export const everything = parts.createMachine({
  id: "door",
  description: "A door: with every construct there is.",
  initial: "closed",
  on: {
    slam: { target: ".closed", actions: "note" },
    knock: { actions: { type: "greet", params: { name: "caller" } } },
    "*": undefined,
  },
  states: {
    closed: {
      description: "Nobody passes; a knock is answered from inside. The end note is not the end.",
      tags: ["shut", "quiet"],
      entry: ["note", assign({})],
      exit: "note",
      always: { guard: "isOpen", target: "open" },
      after: {
        patience: { guard: not({ type: "canRetry", params: { max: 4 } }), target: "gone" },
        250: { target: "closed", reenter: true },
      },
    },
    opening: {
      invoke: { src: "handshake", onDone: "open", onError: { target: "closed", actions: "note" } },
      on: {
        push: [
          { guard: and(["isOpen", or(["isIdle", not("isOpen")])]), target: "open.wide" },
          { guard: stateIn("#door.open"), target: "gone" },
          { guard: () => false, target: "closed" },
        ],
      },
    },
    open: {
      initial: "ajar",
      description: "Open, more or less.",
      on: { shut: "closed", again: { target: "open", reenter: true }, widen: ".wide" },
      onDone: "gone",
      states: { ajar: { on: { push: "wide" } }, wide: { type: "final" } },
    },
    busy: {
      type: "parallel",
      onDone: "closed",
      on: { calm: { actions: "note" } },
      states: {
        bell: {
          initial: "silent",
          states: {
            silent: { on: { ring: "ringing" } },
            ringing: { on: { lift: "#door.busy.lamp" } },
          },
        },
        lamp: { description: "A lamp." },
        memory: { initial: "one", states: { one: {}, back: { type: "history", history: "deep" } } },
      },
    },
    gone: { type: "final" },
  },
})

/** States and events whose names are Mermaid syntax, or fall together as ids. */
export const hostile: AnyStateMachine = setup({}).createMachine({
  id: "state note; } \n[*] --> x",
  description: 'He said: "50 % of {this} #35; is <b>bold</b>"',
  initial: "a-b",
  states: {
    "a-b": {
      on: { "--> y : z": "a_b", '"quoted"': "end note" },
      description: "end note\nend note",
    },
    a_b: { initial: "c", states: { c: {} } },
    a: { initial: "b_c", states: { b_c: { tags: ["--", "`x`", "%% comment"] } } },
    "end note": { type: "final" },
    "état 🦊": {},
  },
})

/** Two regions at the top. */
export const parallelRoot = setup({}).createMachine({
  id: "both",
  type: "parallel",
  on: { reset: [".left", ".right"] },
  states: {
    left: { initial: "off", states: { off: { on: { flip: "on" } }, on: {} } },
    right: {},
  },
})

/** One state and no other. */
export const single = setup({}).createMachine({ id: "single", on: { tick: { actions: () => {} } } })
