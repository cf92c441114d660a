// What is to be said of each requirement, and what is wrong with the lists themselves.
import { isDemanded, isRecommended } from "./level.mjs"

const none = { passed: new Set(), failed: new Set(), skipped: new Set() }

const whyUncovered = ({ failed, skipped }) => {
  if (failed.size > 0) return `its only test fails (${[...failed].join(", ")})`
  if (skipped.size > 0) return `its only test was skipped (${[...skipped].join(", ")})`
  return "no test"
}

/**
 * Each requirement with a `verdict`: `covered` (with `files`), `excused`, `later` or `uncovered` (with
 * `why`); one that nobody demands and that has no test is `open`.
 */
export const judge = ({ requirements, evidence, excuses, later }) =>
  requirements.map((requirement) => {
    const { id, level, area } = requirement
    const found = evidence.get(id) ?? none
    const judged = {
      ...requirement,
      demanded: isDemanded(level),
      recommended: isRecommended(level),
    }
    if (found.passed.size > 0) {
      return { ...judged, verdict: "covered", files: [...found.passed].toSorted() }
    }
    const waitsFor = later.get(id) ?? later.get(area)
    if (waitsFor !== undefined) return { ...judged, verdict: "later", why: waitsFor }
    if (!judged.demanded) return { ...judged, verdict: "open" }
    if (excuses.has(id)) return { ...judged, verdict: "excused", why: excuses.get(id) }
    return { ...judged, verdict: "uncovered", why: whyUncovered(found) }
  })

/** An excuse that is none, and an id that does not exist. */
export const mistakes = ({ judged, evidence, excuses, later }) => {
  const byId = new Map(judged.map((requirement) => [requirement.id, requirement]))
  const areas = new Set(judged.map(({ area }) => area))
  const wrongExcuse = (id) => {
    const requirement = byId.get(id)
    if (requirement === undefined) return "there is no such requirement"
    if (evidence.has(id)) return "it has a test"
    if (requirement.verdict === "later") return "it comes later, and needs none"
    return requirement.demanded ? undefined : "nobody demands it"
  }
  return [
    ...[...excuses.keys()].flatMap((id) => {
      const wrong = wrongExcuse(id)
      return wrong === undefined ? [] : [`excuses.json excuses ${id}: ${wrong}`]
    }),
    ...[...later.keys()]
      .filter((name) => !byId.has(name) && !areas.has(name))
      .map((name) => `later.json names ${name}: there is no such requirement or area`),
    ...[...evidence]
      .filter(([id]) => !byId.has(id))
      .map(([id, { passed, failed, skipped }]) => {
        const [file] = [...passed, ...failed, ...skipped]
        return `${file} names ${id}: there is no such requirement`
      }),
  ]
}

/** How many of the demanded ones are covered, uncovered and excused. */
export const tally = (judged) => {
  const of = (verdict) =>
    judged.filter((requirement) => requirement.demanded && requirement.verdict === verdict).length
  return { covered: of("covered"), uncovered: of("uncovered"), excused: of("excused") }
}

/** `N covered, M uncovered, K excused`. */
export const tallyLine = ({ covered, uncovered, excused }) =>
  `${covered} covered, ${uncovered} uncovered, ${excused} excused`
