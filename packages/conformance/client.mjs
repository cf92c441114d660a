// The client under test. The suite starts it once per scenario, with the server's URL as the last
// argument and the scenario, the revision and the scenario's context in the environment.
import { connect } from "@entente/client"
import { drive, handlersOf } from "./drivers.mjs"
import { finalLine } from "./verdict.mjs"

const url = process.argv.at(-1)
const {
  MCP_CONFORMANCE_SCENARIO: scenario,
  MCP_CONFORMANCE_PROTOCOL_VERSION: revision,
  MCP_CONFORMANCE_CONTEXT: context = "{}",
} = process.env

const client = await connect(url, {
  // A scenario runs at one revision's wire; there is nothing to negotiate.
  mode: revision,
  timeoutMs: 10_000,
  handlers: handlersOf(scenario),
  clientInfo: { name: "entente-conformance", version: "0.1.0" },
})
try {
  await drive(client, scenario, JSON.parse(context))
} finally {
  await client.close()
}
console.log(finalLine)
