import { readFile, writeFile } from "node:fs/promises"
import { connect } from "@entente/client"
import type { Transport } from "@entente/transport"

/** Calls a tool that may take hours, says how it stands, and keeps it where another process finds it. */
export const startBaking = async (target: string | Transport, file: string): Promise<void> => {
  await using client = await connect(target)
  const task = await client.tasks.call({ name: "bake" }, { ttlMs: 86_400_000 })
  // As good as the task itself: keep it like a secret. It is `null` where the server has answered at once.
  await writeFile(file, JSON.stringify(task), { mode: 0o600 })
  for await (const { state, message } of task.statuses()) {
    console.log(message ?? state)
    if (message === "in the oven") return // somebody else will fetch the bread
  }
}

/** Fetches the result, perhaps tomorrow, in another process. */
export const fetchBread = async (target: string | Transport, file: string): Promise<void> => {
  await using client = await connect(target)
  const task = await client.tasks.resume(await readFile(file, "utf8"))
  const { content } = await task.result()
  console.log(JSON.stringify(content))
}
