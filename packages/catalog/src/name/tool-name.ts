import { fingerprint } from "@entente/client"
import { idRule, type NameRule } from "../provider/name-rule.js"
import { shapeOf, type NameShape } from "./name-shape.js"

/** Stands between a server's id and the name of its tool. */
const separator = "__"

/** How a hashed name ends. It begins with a digit, so that no English word is taken for one. */
const hashed = /_[0-7][0-9a-v]{9}$/
const hashLength = 10

/**
 * 48 bits of SHA-256 as ten digits to the base of 32. `attempt` is above 0 only where two tools have these
 * bits in common.
 */
const hashOf = (server: string, tool: string, attempt: number): string => {
  const bits = fingerprint(attempt === 0 ? [server, tool] : [server, tool, attempt]).slice(0, 12)
  return Number.parseInt(bits, 16).toString(32).padStart(hashLength, "0")
}

/** Why `server__tool` cannot be read back: up to the first two underscores it has to be the server. */
const ambiguity = (server: string, name: string): string | undefined => {
  if (server.includes(separator) || server.endsWith("_")) {
    return "the underscores in the id of its server could be taken for those that follow it"
  }
  // So that the two forms never meet.
  return hashed.test(name) ? "it ends like a name with a hash" : undefined
}

/** Why a tool cannot simply be called `server__tool`, as the end of a sentence; undefined where it can. */
export const whyHashed = (server: string, tool: string, rule: NameRule): string | undefined => {
  const plain = `${server}${separator}${tool}`
  const { maxLength } = rule
  if (plain.length > maxLength) return `it is longer than ${maxLength} characters`
  if (!shapeOf(rule).fits(plain)) return "it has characters that are not allowed there"
  return ambiguity(server, plain)
}

/** The readable part of a hashed name. The tool says more than its server, so the server is cut first. */
const stemOf = (server: string, tool: string, shape: NameShape): string => {
  const room = shape.maxLength - hashLength - 1
  const what = shape.readable(tool) || "tool"
  const where = shape.begun(shape.readable(server) || "server")
  const left = room - separator.length - what.length
  const kept = Math.max(left, Math.min(where.length, room >> 2))
  return `${where.slice(0, kept)}${separator}${what}`.slice(0, room)
}

/** The name with a hash: what every tool can have, and those that share one in their further attempts. */
export const hashedName = (
  server: string,
  tool: string,
  rule: NameRule,
  attempt: number = 0,
): string => `${stemOf(server, tool, shapeOf(rule))}_${hashOf(server, tool, attempt)}`

/**
 * What a tool is called under a rule. It follows from the server's id and the tool's own name alone, so it is
 * the same after a restart and whoever else is there. Where `server__tool` fits the rule and can be read back
 * it is that; otherwise it is what can be kept of it, and a hash. Names that look alike but are written with
 * other characters (é as one or as two) stay two.
 *
 * @param server the id that the user gave the server. What it calls itself plays no part (V26-TOOL-05, C080).
 * @throws RangeError for a rule that leaves no room for a hash.
 *
 * @example
 * nameFor("github", "create_issue", nameRules.openai) // "github__create_issue"
 * nameFor("wiki", "Größe ändern", nameRules.openai) // "wiki__Gro_e_andern_3f7jvsmfp8"
 */
export const nameFor = (server: string, tool: string, rule: NameRule): string =>
  whyHashed(server, tool, rule) === undefined
    ? `${server}${separator}${tool}`
    : hashedName(server, tool, rule)

/**
 * The catalog's own id of a tool. The server is always in front, also while no other has a tool of that name:
 * so no id changes because another server joins (C080).
 *
 * @example
 * catalogId("s1", "notify") // "s1__notify"
 */
export const catalogId = (server: string, tool: string): string => nameFor(server, tool, idRule)

/**
 * Which tool a name means, as far as the name alone says so: undefined where it has a hash, or nothing that
 * separates a server from a tool. `NameMap` knows all of them.
 *
 * @example
 * readName("s1__notify") // { server: "s1", tool: "notify" }
 */
export const readName = (
  name: string,
): { readonly server: string; readonly tool: string } | undefined => {
  const end = name.indexOf(separator)
  if (end === -1) return undefined
  const server = name.slice(0, end)
  const tool = name.slice(end + separator.length)
  return ambiguity(server, name) === undefined ? { server, tool } : undefined
}
