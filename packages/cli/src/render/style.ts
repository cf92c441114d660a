import type { Io, Output } from "../io.js"

/** Ways to set text off, each the identity where there are no colours. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly warning: (text: string) => string
  readonly bad: (text: string) => string
  readonly underline: (text: string) => string
}

const paint =
  (on: boolean, code: number, off: number) =>
  (text: string): string =>
    on ? `\u001b[${code}m${text}\u001b[${off}m` : text

/** Colours only for a person at a terminal, and never against NO_COLOR or `--no-color`. */
export const styleOf = (output: Output, io: Pick<Io, "env">, wanted: boolean): Style => {
  const refused = (io.env["NO_COLOR"] ?? "") !== "" || io.env["TERM"] === "dumb"
  const on = wanted && output.isTTY === true && !refused
  return {
    bold: paint(on, 1, 22),
    dim: paint(on, 2, 22),
    good: paint(on, 32, 39),
    warning: paint(on, 33, 39),
    bad: paint(on, 31, 39),
    underline: paint(on, 4, 24),
  }
}

/** Whether anything is set off at all; without that, signs have to do it. */
export const isStyled = ({ bold }: Style): boolean => bold("x") !== "x"
