import { configuredWay } from "../configured-way.js"
import { findServer } from "../find-server.js"
import type { Io } from "../io.js"
import { UsageError } from "../usage-error.js"
import type { Way } from "../way.js"
import { clientContexts } from "./client-contexts.js"
import { serverOnCommandLine } from "./on-command-line.js"
import type { PatientFile } from "./patient.js"

/** A server whose entry cannot be used has no way: what is wrong with it is in the view of its client. */
const wayOf = async (name: string, from: string, io: Io): Promise<Way | undefined> => {
  try {
    const { server, cwd } = await findServer({ kind: "server", name, config: undefined, from }, io)
    return configuredWay(server, cwd)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** The servers of a client as it is set up for them; what it has switched off is not started unless it is named. */
export const clientPatients = async (
  client: string,
  name: string | undefined,
  io: Io,
): Promise<ReadonlyArray<PatientFile>> => {
  const views = clientContexts(client, name, io)
  return Promise.all(
    views.map(async (view) => ({
      name: view.server,
      way:
        view.disabledBy === undefined || name !== undefined
          ? await wayOf(view.server, client, io)
          : undefined,
      context: {
        target: serverOnCommandLine(view.server, { config: undefined, from: client }),
        client: view,
      },
    })),
  )
}
