import { readFile } from "node:fs/promises"
import { connect } from "@entente/client"
import { FileRecorder } from "@entente/trace/file"
import { record, replay, type Transport } from "@entente/transport"

/** Lists the tools of a server, and keeps what was said. */
export const listRecorded = async (server: Transport, path: string) => {
  await using recorder = new FileRecorder(path)
  await using client = await connect(record(server, recorder.read))
  return (await client.tools.list()).items
}

/** The same list, from the file alone. */
export const listReplayed = async (path: string) => {
  await using client = await connect(replay(await readFile(path, "utf8")))
  return (await client.tools.list()).items
}
