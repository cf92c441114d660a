import {
  InvalidInput,
  explain,
  extensionIdFault,
  isJsonObject,
  type Era,
  type JsonObject,
} from "@entente/protocol"
import type { Handlers } from "./handlers.js"
import { checkRoots } from "./roots.js"

const rootsIn: { readonly [E in Era]: JsonObject } = {
  // Roots can always change; see `roots.changed` of a client.
  legacy: { listChanged: true },
  // V26-ROOT-01: nobody is told of changes any more.
  modern: {},
}

/**
 * What a set of handlers can honour, as an era writes it: one description, two encodings
 * (V25-CAP-01, V25-CAP-07, V26-DUAL-07).
 */
export const declaredBy = (handlers: Handlers, era: Era): JsonObject => {
  const { roots, sampling, elicitation } = handlers
  const { tools, context } = typeof sampling === "object" ? sampling : {}
  const modes = {
    ...(elicitation?.form && { form: {} }),
    ...(elicitation?.url && { url: {} }),
  }
  return {
    ...(roots !== undefined && { roots: rootsIn[era] }),
    ...(sampling !== undefined && {
      sampling: { ...(tools && { tools: {} }), ...(context && { context: {} }) },
    }),
    // `{}` would mean forms (T-36), so that no mode at all is no capability.
    ...(Object.keys(modes).length > 0 && { elicitation: modes }),
    ...(era === "legacy" && tasksOf(handlers)),
  }
}

/** What may be answered as a task; the list is exhaustive (V25-CAP-08). Modern servers have no such thing. */
const tasksOf = ({ asTasks, sampling, elicitation }: Handlers): JsonObject => {
  const requests = {
    ...(sampling !== undefined && { sampling: { createMessage: {} } }),
    ...(elicitation !== undefined && { elicitation: { create: {} } }),
  }
  const offered = asTasks !== undefined && Object.keys(requests).length > 0
  return offered ? { tasks: { list: {}, cancel: {}, requests } } : {}
}

/** Capabilities that nothing but a handler can honour. */
const ofHandlers = ["roots", "sampling", "elicitation", "tasks"] as const

/** The first thing that is promised and that no handler keeps, for example `sampling.tools`. */
const unkept = (promised: JsonObject, kept: JsonObject): string | undefined => {
  for (const name of ofHandlers) {
    const part = promised[name]
    if (part === undefined) continue
    const own = kept[name]
    if (!isJsonObject(own)) return name
    const inner = isJsonObject(part) ? Object.keys(part) : []
    const missing = inner.find((member) => !Object.hasOwn(own, member))
    if (missing !== undefined) return `${name}.${missing}`
  }
  return undefined
}

const isFunction = (value: unknown): boolean => typeof value === "function"

/** What is wrong with handlers, for callers whose language does not say so. */
const brokenHandler = ({ roots, sampling, elicitation }: Handlers): string | undefined => {
  if (Array.isArray(roots)) {
    const fault = checkRoots(roots)
    if (fault !== undefined) return `handlers.roots: ${fault.reason} at ${fault.pointer}`
  } else if (roots !== undefined && !isFunction(roots)) {
    return "handlers.roots is neither a list nor a function"
  }
  const samples = isJsonObject(sampling) ? sampling["handler"] : sampling
  if (sampling !== undefined && !isFunction(samples)) return "handlers.sampling has no handler"
  if (elicitation === undefined) return undefined
  const modes = isJsonObject(elicitation) ? [elicitation["form"], elicitation["url"]] : []
  const present = modes.filter((mode) => mode !== undefined)
  return present.length > 0 && present.every(isFunction)
    ? undefined
    : "handlers.elicitation has neither form nor url, or one is no function"
}

/** What is wrong with the ids of extensions (V26-EXT-02). */
const extensionFault = (extensions: unknown): string | undefined => {
  if (extensions === undefined) return undefined
  if (!isJsonObject(extensions)) return "it is no object"
  for (const id of Object.keys(extensions)) {
    const fault = extensionIdFault(id)
    if (fault !== undefined) return `${JSON.stringify(id)}: ${fault}`
  }
  return undefined
}

/**
 * What is wrong with what a host offers to servers. A promise that no handler keeps is refused, because a
 * server that relies on it would wait for nothing.
 */
export const offerFault = (
  handlers: Handlers,
  besides: JsonObject,
  target: string,
): InvalidInput | undefined => {
  const refuse = (what: string, hint?: string): InvalidInput =>
    new InvalidInput(explain("invalid-input", "input", target, `${what}.`, hint))
  const broken = brokenHandler(handlers)
  if (broken !== undefined) return refuse(broken)
  const misnamed = extensionFault(besides["extensions"])
  if (misnamed !== undefined) return refuse(`capabilities.extensions: ${misnamed}`)
  const promised = unkept(besides, declaredBy(handlers, "legacy"))
  if (promised === undefined) return undefined
  return refuse(
    `capabilities: "${promised}" is declared, but no handler keeps that promise`,
    "Give connect a handler, from which the capability follows, and leave it out here.",
  )
}

/** Another set of capabilities for one request: `false` leaves one out, an object takes its place. */
export type CapabilityWish = { readonly [name: string]: JsonObject | false }

/**
 * The capabilities of one modern request (V26-META-05). What is not named stays as the connection has
 * it; declaring more than the handlers can honour is for callers that answer for themselves.
 *
 * @example
 * capabilitiesWith({ roots: {}, elicitation: { form: {} } }, { elicitation: false }) // { roots: {} }
 */
export const capabilitiesWith = (own: JsonObject, wish: CapabilityWish): JsonObject =>
  Object.fromEntries(Object.entries({ ...own, ...wish }).filter(([, part]) => part !== false))
