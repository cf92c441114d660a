import { rpcCode } from "@entente/protocol"
import type { TypedMethod } from "../call/typed-method.js"

/** Methods that name one thing out of a list. */
export type NamingMethod = Exclude<TypedMethod, "completion/complete">

/** What a method names, and where that stands. */
export interface Naming {
  /** The list, by the name that a client has for it. */
  readonly list: "tools" | "prompts" | "resources"
  /** The member of its params that names the thing, which is also the one that tells items of the list apart. */
  readonly member: "name" | "uri"
  readonly noun: "tool" | "prompt" | "resource"
  /** Codes that a server has for what it does not know, and for other things too (V26-ERR-03). */
  readonly codes: ReadonlyArray<number>
}

const { methodNotFound, invalidParams, resourceNotFound } = rpcCode

export const namings: { readonly [Method in NamingMethod]: Naming } = {
  "tools/call": {
    list: "tools",
    member: "name",
    noun: "tool",
    codes: [methodNotFound, invalidParams],
  },
  "prompts/get": {
    list: "prompts",
    member: "name",
    noun: "prompt",
    codes: [methodNotFound, invalidParams],
  },
  "resources/read": {
    list: "resources",
    member: "uri",
    noun: "resource",
    codes: [methodNotFound, invalidParams, resourceNotFound],
  },
}

/** What a method names; undefined where it names nothing. */
export const namingOf = (method: string): Naming | undefined =>
  Object.hasOwn(namings, method)
    ? namings[method as NamingMethod] // an own key of the table
    : undefined
