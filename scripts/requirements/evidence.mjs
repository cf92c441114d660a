// Which tests name which requirement. vitest's JSON report has the full title of each test, with the
// titles of what it stands in, so an id of a `describe` counts for all of its tests.

/** Ids in a title: `V25-RPC-01, V25-RPC-02 answers …` has two. */
export const idsIn = (title) => [...new Set(title.match(/\bV2[56]-[A-Z]+-\d{2}\b/g))]

// Tests of our own servers, which keep or break a rule on purpose, and of the tools around. The
// catalogue of misbehaviours names what each is about, which is more than a client shows with it.
const notOfTheClient = /^packages\/(?:bench\/|conformance\/|testkit\/|cli\/test\/demo-)/

const place = (status) => (status === "passed" || status === "failed" ? status : "skipped")

/**
 * Id → the files of its tests: `{ passed, failed, skipped }`, each a set of paths from the root.
 * `report` is vitest's, parsed; `root` the folder its paths begin with.
 */
export const evidenceOf = (report, root) => {
  const evidence = new Map()
  for (const { name, assertionResults } of report.testResults) {
    const file = name.slice(root.length).replaceAll("\\", "/")
    if (notOfTheClient.test(file)) continue
    for (const { fullName, status } of assertionResults) {
      for (const id of idsIn(fullName)) {
        const found = evidence.get(id) ?? {
          passed: new Set(),
          failed: new Set(),
          skipped: new Set(),
        }
        evidence.set(id, found)
        found[place(status)].add(file)
      }
    }
  }
  return evidence
}
