import { assign, setup } from "xstate"

/** How a process ended: one of the two is known, unless it never started. */
export interface ProcessExit {
  readonly code: number | undefined
  readonly signal: string | undefined
}

/** Milliseconds allowed to each rung of the shutdown ladder before the next one is taken. */
export interface ShutdownGrace {
  /** After stdin was closed, before SIGTERM. */
  readonly closeInput: number
  /** After SIGTERM, before SIGKILL. */
  readonly terminate: number
}

export const defaultShutdownGrace: ShutdownGrace = { closeInput: 1_000, terminate: 1_000 }

export type ChildProcessEvent =
  /** The operating system has started the command. */
  | { readonly type: "spawned" }
  /** Its first byte on stdout has come. */
  | { readonly type: "spoke" }
  /** The process is gone, or never came to be. */
  | ({ readonly type: "exited" } & ProcessExit)
  /** The owner wants it gone. */
  | { readonly type: "stop" }

export interface ChildProcessContext {
  readonly grace: ShutdownGrace
  readonly exit: ProcessExit | undefined
}

/**
 * The life of a server process, from the command to the last of its descendants. Ending it goes down
 * a ladder: stdin is closed, then SIGTERM, then SIGKILL, each for the whole process tree (V25-STDIO-07,
 * V26-STDIO-07). The four actions are the I/O; whoever runs the chart provides them.
 */
export const childProcessMachine = setup({
  types: {
    context: {} as ChildProcessContext,
    events: {} as ChildProcessEvent,
    input: {} as { readonly grace?: Partial<ShutdownGrace> },
    output: {} as ProcessExit,
  },
  actions: {
    /** Ends the process's stdin, the polite request to leave. */
    closeInput: () => {},
    /** SIGTERM to the tree. */
    terminateTree: () => {},
    /** SIGKILL to the tree. */
    killTree: () => {},
    /** SIGKILL to descendants that outlived the process. */
    sweepTree: () => {},
    rememberExit: assign({
      exit: (_, params: ProcessExit): ProcessExit => ({ code: params.code, signal: params.signal }),
    }),
  },
  delays: {
    closeInputGrace: ({ context }) => context.grace.closeInput,
    terminateGrace: ({ context }) => context.grace.terminate,
  },
}).createMachine({
  id: "childProcess",
  description: "A server process from its command line to the end of its whole process tree.",
  context: ({ input }) => ({ grace: { ...defaultShutdownGrace, ...input.grace }, exit: undefined }),
  initial: "spawning",
  on: {
    exited: {
      target: ".exited",
      actions: { type: "rememberExit", params: ({ event }) => event },
    },
  },
  states: {
    spawning: {
      description: "The command was given to the operating system.",
      on: { spawned: "starting", stop: "closingInput" },
    },
    starting: {
      description: "The process runs and its pipes are connected, but stdout is silent so far.",
      on: { spoke: "running", stop: "closingInput" },
    },
    running: {
      description: "The process has written to stdout: whatever had to be installed is there.",
      on: { stop: "closingInput" },
    },
    closingInput: {
      description: "stdin is closed; a well-behaved server leaves now.",
      entry: "closeInput",
      after: { closeInputGrace: "terminating" },
    },
    terminating: {
      description: "SIGTERM was sent to the whole tree.",
      entry: "terminateTree",
      after: { terminateGrace: "killing" },
    },
    killing: {
      description: "SIGKILL was sent to the whole tree; nothing survives that.",
      entry: "killTree",
    },
    exited: {
      description: "The process is gone, and descendants it left behind with it.",
      entry: "sweepTree",
      type: "final",
    },
  },
  output: ({ context }) => context.exit ?? { code: undefined, signal: undefined },
})
