import { pointerName } from "@entente/protocol"

/** One step into a value: the member of a name, any member, or any element. */
type Step = { readonly member: string } | "member" | "element"

/** Where values stand that a part of a schema is about. */
interface Places {
  readonly steps: ReadonlyArray<Step>
  /** Whether the steps begin at the root; a definition is used from anywhere. */
  readonly fromRoot: boolean
}

/** What a keyword does to the place: how many parts of the pointer it takes, and which step it is. */
const keywordSteps: {
  readonly [keyword: string]: (name: string) => Step | "same" | "anywhere" | undefined
} = {
  properties: (name) => ({ member: name }),
  patternProperties: () => "member",
  prefixItems: () => "element",
  anyOf: () => "same",
  oneOf: () => "same",
  allOf: () => "same",
  $defs: () => "anywhere",
  definitions: () => "anywhere",
}

/** Keywords that hold one schema and take no further part of the pointer. */
const single: { readonly [keyword: string]: Step } = {
  items: "element",
  additionalProperties: "member",
}

const placesOf = (pointer: string): Places | undefined => {
  const parts = pointer.split("/").slice(1).map(pointerName)
  let steps: Array<Step> = []
  let fromRoot = true
  for (let index = 0; index < parts.length; index++) {
    const keyword = parts[index] ?? ""
    if (Object.hasOwn(single, keyword)) {
      steps.push(single[keyword] as Step) // it is its own
      continue
    }
    const step = Object.hasOwn(keywordSteps, keyword)
      ? keywordSteps[keyword]?.(parts[++index] ?? "")
      : undefined
    if (step === undefined) return undefined
    if (step === "anywhere") {
      steps = []
      fromRoot = false
    } else if (step !== "same") {
      steps.push(step)
    }
  }
  return { steps, fromRoot }
}

/** A path into a value: names of members and indexes of elements. */
export type ValuePath = ReadonlyArray<string | number>

const takes = (step: Step, at: string | number | undefined): boolean => {
  if (step === "element") return typeof at === "number"
  if (step === "member") return typeof at === "string"
  return step.member === at
}

const leadsTo = ({ steps, fromRoot }: Places, path: ValuePath): boolean => {
  const above = path.length - steps.length
  if (above < 0 || (fromRoot && above > 0)) return false
  return steps.every((step, index) => takes(step, path[above + index]))
}

/**
 * The places in arguments that are nullable only because a strict projection made them so. The pointers lead
 * into the provider's schema; the values have its shape, whatever the server's own schema looks like.
 */
export class WidenedPlaces {
  readonly #byMember = new Map<string, Array<Places>>()

  constructor(pointers: ReadonlyArray<string>) {
    for (const pointer of pointers) {
      const places = placesOf(pointer)
      const last = places?.steps.at(-1)
      if (places === undefined || typeof last !== "object") continue
      const known = this.#byMember.get(last.member)
      if (known === undefined) this.#byMember.set(last.member, [places])
      else known.push(places)
    }
  }

  get isEmpty(): boolean {
    return this.#byMember.size === 0
  }

  has(path: ValuePath): boolean {
    const places = this.#byMember.get(String(path.at(-1))) ?? []
    return places.some((each) => leadsTo(each, path))
  }
}
