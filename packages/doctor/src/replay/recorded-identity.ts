import { UserRefused, type ConnectOptions, type Handlers } from "@entente/client"
import { isJsonObject, metaKey, type JsonObject } from "@entente/protocol"
import type { RecordedRun } from "./recorded-run.js"

/** Nobody is asked: what the recorded client answered is said again by a layer before the handlers. */
const refuse = (): never => {
  throw new UserRefused()
}

/** Handlers that declare what the recorded client declared. */
const handlersFor = ({ roots, sampling, elicitation }: JsonObject): Handlers => ({
  ...(isJsonObject(roots) && { roots: [] }),
  ...(isJsonObject(sampling) && {
    sampling: {
      handler: refuse,
      ...(isJsonObject(sampling["tools"]) && { tools: true as const }),
      ...(isJsonObject(sampling["context"]) && { context: true as const }),
    },
  }),
  ...(isJsonObject(elicitation) && {
    elicitation: {
      ...((isJsonObject(elicitation["form"]) || !isJsonObject(elicitation["url"])) && {
        form: refuse,
      }),
      ...(isJsonObject(elicitation["url"]) && { url: refuse }),
    },
  }),
})

const declaredBy = ({ sends }: RecordedRun) => {
  const initialize = sends.find(({ method }) => method === "initialize")?.params
  const meta = sends.map(({ params }) => params?.["_meta"]).find(isJsonObject)
  const info = initialize?.["clientInfo"] ?? meta?.[metaKey.clientInfo]
  const capabilities = initialize?.["capabilities"] ?? meta?.[metaKey.clientCapabilities]
  return {
    info: isJsonObject(info) ? info : undefined,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
  }
}

/** The name and the capabilities of the recorded client, for the one that runs in its place. */
export const recordedIdentity = (run: RecordedRun): ConnectOptions => {
  const { info, capabilities } = declaredBy(run)
  const { name, version } = info ?? {}
  const { experimental, extensions } = capabilities
  const isTasks = isJsonObject(extensions) && Object.hasOwn(extensions, tasksExtension)
  return {
    handlers: handlersFor(capabilities),
    ...(typeof name === "string" && typeof version === "string"
      ? { clientInfo: { ...info, name, version } }
      : {}),
    ...(isJsonObject(experimental) ? { capabilities: { experimental } } : {}),
    ...(isTasks ? { tasks: true } : {}),
  }
}

const tasksExtension = "io.modelcontextprotocol/tasks"
