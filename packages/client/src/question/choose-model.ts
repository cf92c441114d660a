import type { ModelPreferences } from "@entente/protocol"

/** A model as a host knows it: by its name, or with weights from 0 to 1 for what it is good at. */
export interface AvailableModel {
  readonly name: string
  /** 1 is the cheapest. */
  readonly cost?: number
  /** 1 is the fastest. */
  readonly speed?: number
  /** 1 is the most capable. */
  readonly intelligence?: number
}

/**
 * Which of the models there are comes closest to what a server would like. Hints are looked at in order,
 * each as a part of a name, and the first that fits wins; only where none does, priorities are weighed
 * (V25-SAMP-04, V26-SAMP-04). Without either it is the first model of the list.
 *
 * @example
 * chooseModel({ hints: [{ name: "sonnet" }] }, [{ name: "opus-4" }, { name: "sonnet-4" }]) // { name: "sonnet-4" }
 */
export const chooseModel = <
  const Models extends readonly [AvailableModel, ...ReadonlyArray<AvailableModel>],
>(
  preferences: ModelPreferences | undefined,
  available: Models,
): Models[number] => {
  const { hints = [], costPriority = 0, speedPriority = 0 } = preferences ?? {}
  const { intelligencePriority = 0 } = preferences ?? {}
  for (const { name } of hints) {
    const wanted = name?.toLowerCase() ?? ""
    const hinted = available.find((model) => model.name.toLowerCase().includes(wanted))
    if (wanted !== "" && hinted !== undefined) return hinted
  }
  const worth = ({ cost = 0, speed = 0, intelligence = 0 }: AvailableModel): number =>
    costPriority * cost + speedPriority * speed + intelligencePriority * intelligence
  return available.reduce((best, model) => (worth(model) > worth(best) ? model : best))
}
