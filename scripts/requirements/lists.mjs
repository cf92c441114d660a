// What is committed: the requirements of both eras, their areas, the excuses, and what comes later.
import { readFileSync } from "node:fs"

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8")
const readLines = (name) =>
  read(name)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/** Every requirement, in the order of the lists; `area` is made unique by its era. */
export const readRequirements = () =>
  ["2025-era.jsonl", "2026-07-28.jsonl"].flatMap(readLines).map((requirement) => ({
    ...requirement,
    area: `${requirement.id.slice(0, 3)}-${requirement.area}`,
  }))

/** Area → what it is about. */
export const readAreas = () => JSON.parse(read("areas.json"))

/** Id → the reason why no test can show it. */
export const readExcuses = () =>
  new Map(Object.values(JSON.parse(read("excuses.json"))).flatMap((group) => Object.entries(group)))

/** Area or id → what it waits for. */
export const readLater = () =>
  new Map(
    Object.entries(JSON.parse(read("later.json"))).flatMap(([reason, names]) =>
      names.map((name) => [name, reason]),
    ),
  )
