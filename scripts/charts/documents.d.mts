import type * as Charts from "@entente/charts"
import type * as Pictures from "@entente/charts/svg"

/** The files of docs/charts by name. */
export declare const chartDocuments: (
  parts: Pick<typeof Charts, "charts" | "readChart" | "statesIn" | "toMermaid"> &
    Pick<typeof Pictures, "toSvg">,
) => Promise<ReadonlyMap<string, string>>
