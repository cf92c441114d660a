import { rpcCode, type JsonObject } from "@entente/protocol"
import type { Call, Library } from "./library.js"
import { page } from "./pages.js"
import { getPrompt, promptDefinitions } from "./prompts.js"
import { readResource, resourceDefinitions, templateDefinitions } from "./resources.js"
import { callTool, toolDefinitions } from "./tools.js"

/** A method as both eras know it; what differs between them is added around it. */
export type Method = (library: Library, call: Call) => JsonObject | Promise<JsonObject>

const list =
  (member: string, items: (library: Library) => ReadonlyArray<JsonObject>): Method =>
  (library, { params }) =>
    page(member, items(library), params)

/** The methods of the reading room, with the code that a missing resource has in the era. */
export const methodsOf = (era: "legacy" | "modern"): ReadonlyMap<string, Method> =>
  new Map<string, Method>([
    ["tools/list", list("tools", toolDefinitions)],
    ["tools/call", callTool],
    ["prompts/list", list("prompts", () => promptDefinitions)],
    ["prompts/get", (_, { params }) => getPrompt(params)],
    ["resources/list", list("resources", () => resourceDefinitions)],
    ["resources/templates/list", list("resourceTemplates", () => templateDefinitions)],
    [
      "resources/read",
      (_, { params }) =>
        readResource(params, era === "modern" ? rpcCode.invalidParams : rpcCode.resourceNotFound),
    ],
  ])
