// What stands in docs/charts. Pure: it draws nothing by itself and writes nothing.

const cell = (text) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;")

const kinds = {
  atomic: "",
  compound: "has states inside",
  parallel: "has regions that all run at once",
  final: "ends here",
  history: "leads to where its parent was",
}

/** `on open`, `on close` … the events of a state, each once. */
const eventsOf = (chart, { id }) => [
  ...new Set(
    chart.transitions
      .filter(({ source }) => source === id)
      .map(({ event }) => `\`${cell(event)}\``),
  ),
]

const row = (chart, state) => {
  const parent = state.id.split(".").slice(0, -1).join(".")
  const begins = chart.states.find(({ id }) => id === parent)?.initial.includes(state.id)
  const kind = [kinds[state.kind], begins ? "begins here" : ""]
    .filter((one) => one !== "")
    .join(", ")
  const means = cell(state.description ?? "")
  return `| \`${cell(state.id)}\` | ${means} | ${kind} | ${eventsOf(chart, state).join(", ")} |`
}

const page = ({ name, chart, mermaid }) =>
  [
    `# ${name}`,
    "",
    chart.description ?? "",
    "",
    `![The chart ${name}](${name}.svg)`,
    "",
    "| state | it means | | it reacts to |",
    "| --- | --- | --- | --- |",
    ...chart.states.filter(({ id }) => id !== "").map((state) => row(chart, state)),
    "",
    "<details><summary>As Mermaid text</summary>",
    "",
    "```mermaid",
    mermaid.trimEnd(),
    "```",
    "",
    "</details>",
    "",
  ].join("\n")

const index = (drawn) =>
  [
    "# Charts",
    "",
    "These are not drawings of the program, they are the program: the pictures and tables are made from the state charts that run,",
    "by `pnpm charts`, and a test fails when they are out of date. In a picture blue is what happens, brown (in brackets) is the",
    "condition, grey (after the slash) is what is done; a dot is where a state begins, a double line where everything ends, and a broken",
    "line is a region that runs beside others. `entente charts NAME --state STATE` shows one with a state marked.",
    "",
    "| chart | it is |",
    "| --- | --- |",
    ...drawn.map(
      ({ name, chart }) => `| [${name}](${name}.md) | ${cell(chart.description ?? "")} |`,
    ),
    "",
  ].join("\n")

/**
 * The files of docs/charts by name, from the functions of `@entente/charts` and its charts.
 */
export const chartDocuments = async ({ charts, readChart, statesIn, toMermaid, toSvg }) => {
  const drawn = []
  for (const [name, machine] of Object.entries(charts)) {
    const chart = readChart(machine)
    drawn.push({
      name,
      chart: { ...chart, states: statesIn(chart.root) },
      mermaid: toMermaid(machine),
      svg: await toSvg(machine),
    })
  }
  return new Map([
    ["README.md", index(drawn)],
    ...drawn.flatMap((one) => [
      [`${one.name}.md`, page(one)],
      [`${one.name}.svg`, one.svg],
    ]),
  ])
}
