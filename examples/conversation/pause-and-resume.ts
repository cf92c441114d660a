import { readFile, writeFile } from "node:fs/promises"
import { connect, type EntenteError } from "@entente/client"
import type { Transport } from "@entente/transport"

/** Forms only: what this program can have answered later. */
const capabilities = { elicitation: { form: {} } }

/** Calls a modern server. If it asks for something, the call is put into a file; nobody has to wait. */
export const callAndPause = async (
  target: string | Transport,
  name: string,
  file: string,
): Promise<void> => {
  await using client = await connect(target)
  try {
    await client.callTool({ name }, { input: "manual", capabilities })
  } catch (failure) {
    const error = failure as EntenteError // a call rejects with nothing else
    if (error._tag !== "InputRequired") throw error
    // As good as the call itself: keep it like a secret.
    await writeFile(file, error.pause.serialize(), { mode: 0o600 })
    for (const [key, { params }] of Object.entries(error.pause.inputRequests)) {
      console.log(`${key}: ${String(params?.["message"])}`)
    }
  }
}

/** Goes on with it, perhaps tomorrow, in another process. */
export const resumeFrom = async (
  target: string | Transport,
  file: string,
  content: Readonly<Record<string, string | number | boolean>>,
): Promise<void> => {
  await using client = await connect(target)
  const pause = await readFile(file, "utf8")
  const result = await client.resume(
    pause,
    { slot: { action: "accept", content } },
    { capabilities },
  )
  console.log(JSON.stringify(result.content))
}
