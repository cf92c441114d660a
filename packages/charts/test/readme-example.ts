// The example of the README, word for word; `readme.test.ts` compares and runs it.
// #region example
import { activeStates, charts, readChart, toMermaid, toOutline, toStately } from "../src/index.js"
import { toSvg } from "../src/svg/index.js"

const chart = readChart(charts.connection) // plain data: states and transitions
const active = activeStates(chart, ["ready.legacy"]) // with the states around it

export const text = toOutline(charts.connection, { width: 80, active: active ?? new Set() })
export const mermaid = toMermaid(charts.connection, { notes: false })
export const config = toStately(charts.connection) // createMachine(config)
export const picture = await toSvg(charts.connection, {
  theme: "auto",
  active: active ?? new Set(),
})
// #endregion
