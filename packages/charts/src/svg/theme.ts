/** The colours of a picture: each pair of text and ground has a contrast of 4.5 or more (WCAG AA). */
export const light = {
  ground: "#ffffff",
  box: "#f6f8fa",
  inner: "#ffffff",
  line: "#57606a",
  text: "#1f2328",
  quiet: "#57606a",
  arrow: "#0a58ca",
  guard: "#7a4100",
  action: "#57606a",
  lit: "#ffe8a3",
  litLine: "#7a4100",
} as const

export const dark: Colours = {
  ground: "#0d1117",
  box: "#161b22",
  inner: "#0d1117",
  line: "#8b949e",
  text: "#e6edf3",
  quiet: "#a8b2bd",
  arrow: "#79b8ff",
  guard: "#f0b35e",
  action: "#a8b2bd",
  lit: "#4d3800",
  litLine: "#f0b35e",
}

/** `auto` follows the reader's own setting. */
export type Theme = "auto" | "light" | "dark"

export type Colours = Readonly<Record<keyof typeof light, string>>

/** Rules that hold in our pictures alone, also where one is put into a page that has names of its own. */
const inCharts = (rules: ReadonlyArray<string>): string =>
  rules.map((rule) => `.entente-chart ${rule}`).join("")

/** Written out for each theme: many programs that show SVG know no variables of CSS. */
const colouring = (colours: Colours): string =>
  inCharts([
    `text{fill:${colours.text}}`,
    `.ground{fill:${colours.ground}}`,
    `.box{fill:${colours.box};stroke:${colours.line}}`,
    `.composite>.box{fill:${colours.inner}}`,
    `.fact{fill:${colours.quiet}}`,
    `.arrow{stroke:${colours.arrow}}`,
    `.head{fill:${colours.arrow}}`,
    `.start{fill:${colours.text}}`,
    `.event{fill:${colours.arrow}}`,
    `.guard{fill:${colours.guard}}`,
    `.action{fill:${colours.action}}`,
    `.lit>.box{stroke:${colours.litLine}}`,
    `.lit:not(.composite)>.box{fill:${colours.lit}}`,
  ])

const shape = inCharts([
  "text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11px}",
  ".region>.box{stroke-dasharray:6 4}",
  ".title{font-size:13px;font-weight:600}",
  ".arrow{fill:none;stroke-width:1.3}",
  ".lit>.box{stroke-width:2}",
])

/** The style sheet of a picture. */
export const styleSheet = (theme: Theme): string =>
  [
    shape,
    colouring(theme === "dark" ? dark : light),
    ...(theme === "auto" ? [`@media(prefers-color-scheme:dark){${colouring(dark)}}`] : []),
  ].join("")
