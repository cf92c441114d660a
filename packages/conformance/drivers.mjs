// What the client does in each scenario. A driver only uses the client the way its users do; the
// suite's server judges what arrived. A driver throws when the answer was not what it must be.
import assert from "node:assert/strict"

const tools = async (client) => (await client.tools.list()).items

const callEach = async (client, calls) => {
  for (const { name, arguments: args = {} } of calls) {
    await client.callTool({ name, arguments: args })
  }
}

const named = async (client) => (await tools(client)).map(({ name }) => ({ name }))

/** What a scenario without a driver of its own asks for: connect, list, call what there is. */
const listAndCall = async (client) => callEach(client, await named(client))

const drivers = {
  initialize: (client) => client.tools.list(),

  "request-metadata": (client) => client.tools.list(),

  tools_call: async (client) => {
    const [tool] = await tools(client)
    const result = await client.callTool({ name: tool.name, arguments: { a: 5, b: 3 } })
    assert.deepEqual(result.content, [{ type: "text", text: "The sum of 5 and 3 is 8" }])
  },

  "json-schema-ref-no-deref": async (client) => {
    const [tool] = await tools(client)
    assert.equal(tool.name, "lookup_user")
  },

  "json-schema-2020-12-preservation": async (client) => {
    const [{ inputSchema: schema }] = await tools(client)
    await client.callTool({ name: "json_schema_echo", arguments: { schema } })
  },

  "http-standard-headers": async (client) => {
    await listAndCall(client)
    for (const { uri } of (await client.resources.list()).items) await client.readResource({ uri })
    for (const { name } of (await client.prompts.list()).items) await client.getPrompt({ name })
  },

  "http-custom-headers": async (client, { toolCalls }) => {
    await tools(client)
    await callEach(client, toolCalls)
  },

  // Arguments that suit every tool of the list, so that only its header annotations can exclude one.
  "http-invalid-tool-headers": async (client) => {
    const offered = await named(client)
    await callEach(
      client,
      offered.map(({ name }) => ({ name, arguments: { region: "eu", value: "1" } })),
    )
  },
}

/** A person who sends every form as it comes: what it holds is left to its defaults. */
const agreeable = { elicitation: { form: () => ({ action: "accept" }) } }

/** Scenarios whose server asks in the middle of a call. */
const asking = new Set(["elicitation-sep1034-client-defaults", "sep-2322-client-request-state"])

/** Who answers in a scenario; nobody does where nothing is asked, and then nothing is declared. */
export const handlersOf = (scenario) => (asking.has(scenario) ? agreeable : {})

/** Does a scenario's part of the client. */
export const drive = (client, scenario, context) =>
  (drivers[scenario] ?? listAndCall)(client, context)
