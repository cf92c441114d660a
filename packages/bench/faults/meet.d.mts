import type { Task } from "./run-cell.mjs"

/** Meets a fault in this process; resolves with what the client saw. */
export declare const meetHere: (clientName: string, task: Task) => Promise<object>
