import { fileURLToPath } from "node:url"
import type { Era } from "@entente/protocol"
import type { Family } from "@entente/doctor"

/** A trace of one variant of each family, recorded once: what the docs show. */
export interface Recorded {
  readonly family: Family
  readonly variant: string
  readonly era: Era
  /** The code of the first hypothesis. */
  readonly code: string
}

/** All were recorded over HTTP: what travels over stdio names programs of the machine. */
export const recorded: ReadonlyArray<Recorded> = [
  { family: 0, variant: "html-page", era: "legacy", code: "web-page-instead" },
  {
    family: 1,
    variant: "served-but-not-advertised",
    era: "legacy",
    code: "tools-capability-missing",
  },
  { family: 2, variant: "cursor-dropped-by-a-proxy", era: "legacy", code: "cursor-ignored" },
  {
    family: 3,
    variant: "replicas-without-affinity",
    era: "legacy",
    code: "replicas-without-affinity",
  },
  {
    family: 4,
    variant: "version-header-not-forwarded",
    era: "modern",
    code: "version-header-not-forwarded",
  },
  { family: 5, variant: "change-is-not-followed", era: "modern", code: "change-not-followed" },
  { family: 6, variant: "nothing-for-strangers", era: "legacy", code: "empty-for-anonymous" },
]

/** Where its trace is kept. */
export const fileOf = ({ family, code }: Recorded): string =>
  fileURLToPath(new URL(`./${family}-${code}.jsonl`, import.meta.url))
