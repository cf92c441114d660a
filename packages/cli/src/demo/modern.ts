import {
  isJsonObject,
  isModernRevision,
  metaKey,
  rpcCode,
  type JsonObject,
  type JsonRpcRequest,
  type Revision,
} from "@entente/protocol"
import { Fault } from "./fault.js"
import { instructions, serverInfo } from "./identity.js"
import type { Call, Library } from "./library.js"
import { methodsOf, type Method } from "./methods.js"

const methods = methodsOf("modern")

/** Milliseconds that a result may be used again. The tools can grow at any time, so they are never fresh. */
const freshFor: ReadonlyMap<string, number> = new Map([
  ["server/discover", 60_000],
  ["tools/list", 0],
  ["prompts/list", 60_000],
  ["resources/list", 60_000],
  ["resources/templates/list", 60_000],
  ["resources/read", 60_000],
])

const metaOf = ({ params }: JsonRpcRequest): JsonObject => {
  const meta = params?.["_meta"]
  return isJsonObject(meta) ? meta : {}
}

/** The version that a request claims in its `_meta`. */
export const claimedVersion = (request: JsonRpcRequest): unknown =>
  metaOf(request)[metaKey.protocolVersion]

/** Whether a request opens in the modern way: with metadata of its own, or with discovery (V26-ERA-14). */
export const looksModern = (request: JsonRpcRequest): boolean =>
  metaKey.protocolVersion in metaOf(request) ||
  metaKey.clientCapabilities in metaOf(request) ||
  request.method === "server/discover"

/** The refusal of a version; its data names what is spoken here (V26-VER-02). */
export const versionFault = (supported: ReadonlyArray<Revision>, requested: unknown): Fault =>
  new Fault(rpcCode.unsupportedVersion, `Unsupported protocol version: ${String(requested)}`, {
    data: { supported, requested },
    status: 400,
  })

/** Refuses a request without the metadata that every modern one carries (V26-META-04). */
export const checkMeta = (request: JsonRpcRequest): void => {
  const meta = metaOf(request)
  if (
    typeof meta[metaKey.protocolVersion] !== "string" ||
    !isJsonObject(meta[metaKey.clientCapabilities])
  ) {
    throw new Fault(
      rpcCode.invalidParams,
      `"_meta" must hold ${metaKey.protocolVersion} and ${metaKey.clientCapabilities}`,
      { status: 400 },
    )
  }
}

const discover =
  (supported: ReadonlyArray<Revision>): Method =>
  () => ({
    supportedVersions: supported,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    instructions,
  })

/** The result of a modern request; everything it needs came with it (V26-ENV-14). */
export const modernResult = async (
  request: JsonRpcRequest,
  call: Call,
  server: {
    readonly library: Library
    readonly version: string
    readonly supported: ReadonlyArray<Revision>
  },
): Promise<JsonObject> => {
  checkMeta(request)
  const claimed = claimedVersion(request)
  if (!isModernRevision(claimed)) throw versionFault(server.supported, claimed)
  const { method } = request
  const known = method === "server/discover" ? discover(server.supported) : methods.get(method)
  if (known === undefined) {
    throw new Fault(rpcCode.methodNotFound, `Method not found: ${method}`, { status: 404 })
  }
  const result = await known(server.library, call)
  const ttlMs = freshFor.get(method)
  return {
    resultType: "complete",
    ...result,
    ...(ttlMs === undefined ? {} : { ttlMs, cacheScope: "public" }),
    _meta: { [metaKey.serverInfo]: serverInfo(server.version) },
  }
}
