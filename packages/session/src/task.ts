import { initialTask } from "./task-context.js"
import { taskParts } from "./task-parts.js"

/**
 * A task on a server, from its handle to its end, in either era: the tasks of 2025-11-25 and the extension
 * `io.modelcontextprotocol/tasks`. It is looked at in the server's own rhythm, within bounds, and no more
 * once it has ended; an end is final, and what is old or cannot be is ignored.
 */
export const taskMachine = taskParts.createMachine({
  id: "task",
  description: "A task on a server, from its handle to its end.",
  context: ({ input }) => initialTask(input),
  initial: "live",
  states: {
    live: {
      description: "The task is watched, its questions are answered, and it may be cancelled.",
      type: "parallel",
      invoke: { id: "answer", src: "answer" },
      on: {
        abandon: {
          target: "abandoned",
          actions: { type: "endReleased", params: ({ event }) => event },
        },
      },
      states: {
        status: {
          description: "How the task stands, by the latest word of the server.",
          initial: "submitted",
          on: {
            reported: [
              {
                guard: { type: "isCancelled", params: ({ event }) => event },
                target: "#task.cancelled",
                actions: { type: "conclude", params: ({ event }) => event },
              },
              {
                guard: { type: "isCompleted", params: ({ event }) => event },
                target: "#task.completed",
                actions: { type: "conclude", params: ({ event }) => event },
              },
              {
                guard: { type: "isFailed", params: ({ event }) => event },
                target: "#task.failed",
                actions: { type: "conclude", params: ({ event }) => event },
              },
              {
                guard: { type: "bringsEnd", params: ({ event }) => event },
                target: ".fetching",
                actions: { type: "takeEnd", params: ({ event }) => event },
              },
              {
                guard: { type: "isOverdue", params: ({ event }) => event },
                target: "#task.gone",
                actions: "endExpired",
              },
              {
                guard: { type: "isOutdated", params: ({ event }) => event },
                actions: { type: "noteIgnored", params: ({ event }) => event },
              },
              {
                guard: { type: "asksForInput", params: ({ event }) => event },
                target: ".inputRequired",
                actions: [
                  { type: "take", params: ({ event }) => event },
                  {
                    type: "ask",
                    params: ({ event }) => ({ requests: event.report.inputRequests ?? {} }),
                  },
                ],
              },
              { target: ".working", actions: { type: "take", params: ({ event }) => event } },
            ],
          },
          states: {
            submitted: { description: "There is a task, and no word yet of how it stands." },
            working: { description: "The server is at it." },
            inputRequired: { description: "The server wants to know something before it goes on." },
            fetching: {
              description: "The task is over, and its result is being fetched.",
              on: {
                reported: [
                  { guard: { type: "isSame", params: ({ event }) => event } },
                  { actions: { type: "noteIgnored", params: ({ event }) => event } },
                ],
                expire: {
                  target: "#task.gone",
                  actions: "endExpired",
                },
              },
            },
          },
        },
        looking: {
          description: "The server is asked how the task stands, again and again.",
          initial: "waiting",
          on: {
            covered: { actions: { type: "cover", params: ({ event }) => event } },
          },
          states: {
            waiting: {
              description: "What created the task says how it stands; otherwise a nudge asks.",
              on: {
                reported: [
                  { guard: { type: "bringsEnd", params: ({ event }) => event }, target: "still" },
                  { target: "pausing" },
                ],
                nudge: "asking",
              },
            },
            asking: {
              description: "A look is under way.",
              invoke: { id: "look", src: "look" },
              on: {
                reported: [
                  {
                    guard: { type: "answersAnEnd", params: ({ event }) => event },
                    target: "still",
                  },
                  { guard: { type: "isAnswer", params: ({ event }) => event }, target: "pausing" },
                ],
                faltered: [
                  { guard: "hasEnded", target: "still" },
                  {
                    guard: "isExpired",
                    target: "#task.gone",
                    actions: "endExpired",
                  },
                  {
                    guard: "isHopeless",
                    target: "#task.lost",
                    actions: { type: "endLost", params: ({ event }) => event },
                  },
                  { target: "pausing", actions: "countFailure" },
                ],
                unknown: [
                  {
                    // A server may forget a cancelled task at once (V25-TASK-15).
                    guard: "wasCancelled",
                    target: "#task.cancelled",
                    actions: "endCancelled",
                  },
                  {
                    target: "#task.gone",
                    actions: { type: "endUnknown", params: ({ event }) => event },
                  },
                ],
                refused: {
                  target: "#task.lost",
                  actions: { type: "endLost", params: ({ event }) => event },
                },
              },
            },
            pausing: {
              description: "A pause: the server's own, or ours where it names none.",
              on: {
                reported: [
                  { guard: { type: "bringsEnd", params: ({ event }) => event }, target: "still" },
                  { target: "pausing", reenter: true },
                ],
                covered: {
                  target: "pausing",
                  reenter: true,
                  actions: { type: "cover", params: ({ event }) => event },
                },
                nudge: "asking",
                expire: "asking",
              },
              after: { lookDelay: "asking" },
            },
            still: { description: "The task is over: it is not looked at any more." },
          },
        },
        result: {
          description: "Where no report brings the result, it is asked for.",
          initial: "unasked",
          states: {
            unasked: {
              description: "The result is not asked for.",
              always: { guard: "wantsResult", target: "asked" },
            },
            asked: {
              description: "The answer comes when the task is over, and questions come before it.",
              invoke: { id: "fetch", src: "fetch" },
              on: {
                fetched: [
                  {
                    guard: { type: "isResultOfFailure", params: ({ event }) => event },
                    target: "#task.failed",
                    actions: { type: "failWith", params: ({ event }) => event },
                  },
                  {
                    guard: { type: "isResult", params: ({ event }) => event },
                    target: "#task.completed",
                    actions: { type: "completeWith", params: ({ event }) => event },
                  },
                  {
                    guard: { type: "isPurged", params: ({ event }) => event },
                    target: "#task.gone",
                    actions: { type: "endPurged", params: ({ event }) => event },
                  },
                  {
                    guard: "hasEnded",
                    target: "#task.failed",
                    actions: { type: "failWith", params: ({ event }) => event },
                  },
                  { target: "resting", actions: ["countFetchFailure", "lookAgain"] },
                ],
                fetchFaltered: [
                  {
                    guard: "isFetchHopeless",
                    target: "#task.lost",
                    actions: { type: "endLost", params: ({ event }) => event },
                  },
                  { target: "resting", actions: "countFetchFailure" },
                ],
              },
            },
            resting: {
              description: "Asking came to nothing; a pause before the next time.",
              after: { fetchDelay: "unasked" },
            },
          },
        },
        lifetime: {
          description: "For how long the server keeps the task, counted from when we heard of it.",
          initial: "unlimited",
          on: {
            reported: {
              guard: { type: "changesLifetime", params: ({ event }) => event },
              target: ".unlimited",
              actions: "extendLifetime",
            },
          },
          states: {
            unlimited: {
              description: "The server names no end.",
              always: { guard: "hasLifetime", target: "counting" },
            },
            counting: {
              description: "After this time the server may have forgotten the task.",
              after: { lifetime: { target: "over", actions: ["expire", "hurry"] } },
            },
            over: { description: "One last look decides." },
          },
        },
        cancelling: {
          description: "Whether the server has been asked to stop the task.",
          initial: "unasked",
          states: {
            unasked: {
              description: "It has not, or in vain.",
              on: {
                cancel: [
                  { guard: "hasEnded", target: "tooLate" },
                  { guard: "mayCancel", target: "asking" },
                  {
                    target: "#task.abandoned",
                    actions: "endUncancellable",
                  },
                ],
              },
            },
            asking: {
              description: "The server is told to stop the task.",
              entry: "beginCancel",
              invoke: { id: "cancel", src: "cancel" },
              on: {
                cancelAccepted: { target: "accepted", actions: "noteCancelled" },
                cancelTooLate: { target: "tooLate", actions: "lookAgain" },
                cancelFailed: {
                  target: "unasked",
                  actions: { type: "noteCancelError", params: ({ event }) => event },
                },
              },
            },
            accepted: {
              description: "The server knows; the task may still end in its own way.",
            },
            tooLate: { description: "The task had ended before: its result counts." },
          },
        },
      },
    },
    completed: {
      description: "The task was done; its result is there, and may tell of a failure of the tool.",
      type: "final",
    },
    failed: {
      description: "The task ended with an error, or with the result of a tool that failed.",
      type: "final",
    },
    cancelled: {
      description: "The server has stopped the task.",
      type: "final",
    },
    gone: {
      description: "The server does not know the task, or not any more.",
      type: "final",
    },
    lost: {
      description: "Looking came to nothing too often; whether the task goes on is unknown.",
      type: "final",
    },
    abandoned: {
      description: "Nobody watches the task any more; it may go on.",
      type: "final",
    },
  },
  output: ({ context }) => context.end,
})
