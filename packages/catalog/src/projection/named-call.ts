import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { CallToolParams } from "@entente/client"
import { InvalidInput, UnknownTool, explain, plainText, type EntenteError } from "@entente/protocol"
import { readArguments } from "../argument/read-arguments.js"
import { catalogId } from "../name/tool-name.js"
import { nearest } from "../search/nearest.js"
import type { Route } from "../server/route.js"
import type { NamedTool, Projection } from "./projection.js"

/** What a model's call becomes: params, and the connection that they go over. */
export interface NamedCall {
  readonly client: Route["client"]
  readonly params: CallToolParams
}

const namesOf = function* ({ names }: Projection): Generator<string> {
  for (const { name } of names.all) yield name
}

const unknown = (projection: Projection, tool: string): UnknownTool => {
  const shown = JSON.stringify(plainText(tool, 100))
  const what = `The model was given no tool ${shown}.`
  const near = nearest(tool, namesOf(projection))
  return new UnknownTool({
    ...explain("unknown-tool", "request", "catalog", what),
    tool,
    nearest: near,
  })
}

/**
 * Finds what a model means by a name that a projection gave it, and reads its arguments by the schema that the
 * server has now, which is not always the one that the projection was made of.
 */
export const namedCall = (
  projection: Projection,
  name: string,
  given: unknown,
  route: (id: string) => Result.Result<Route, EntenteError>,
): Effect.Effect<NamedCall, EntenteError> =>
  Effect.gen(function* () {
    const named = projection.names.toolOf(name)
    if (named === undefined) return yield* unknown(projection, name)
    const { client, tool } = yield* Effect.fromResult(
      route(catalogId(named.server, named.tool.name)),
    )
    const current: NamedTool = { ...named, tool: tool.tool }
    const reading = yield* Effect.promise(() => readArguments(current, given))
    if (!reading.ok) {
      const faults = reading.faults.map(({ pointer, message }) =>
        pointer === "" ? message : `${pointer} ${message}`,
      )
      const what = `The arguments for ${JSON.stringify(plainText(name, 100))}: ${faults.join("; ")}.`
      return yield* new InvalidInput(explain("invalid-input", "input", client.target, what))
    }
    return { client, params: { name: tool.tool.name, arguments: reading.arguments } }
  })
