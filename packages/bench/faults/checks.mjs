// Questions to what was seen of a cell. Each has a label that says what was wanted, and a kind: `does` is
// what the client does, `says` is whether its error tells the user what the outcome demands, and `notes`
// is asked of Entente alone.

const does = (label, test) => ({ kind: "does", label, test })

const failing = ["connect", "list", "call"]

/** The errors the user got, and why a list is not complete. */
const wordsOf = (seen) =>
  failing
    .flatMap((name) => {
      const step = seen[name]
      if (step === undefined) return []
      if (step.error !== undefined) return [`${step.error.message}\n${step.error.text}`]
      const { reason, quarantined, aside = 0 } = step.value ?? {}
      return [
        ...(reason ? [Object.values(reason).join("\n")] : []),
        ...(aside > 0 ? [quarantined] : []),
      ]
    })
    .join("\n")

const messages = (seen, kind, method) =>
  seen.received.filter(
    (arrival) =>
      arrival.kind === kind && (method === undefined || arrival.message?.method === method),
  )

const requests = (seen, method) => messages(seen, "request", method)

/** What the user can get hold of of a list that did not come to its end. */
const partOf = (list) => list?.value?.names ?? list?.error?.items ?? []

const sameNames = (left, right) => JSON.stringify(left) === JSON.stringify(right)

export const connects = (revision) =>
  does(
    revision === undefined ? "is connected" : `is connected in ${revision}`,
    ({ connect }) =>
      connect.outcome === "ok" && (revision === undefined || connect.value.revision === revision),
  )

export const refuses = does("refuses the connection", ({ connect }) => connect.outcome === "error")

/** The list is complete and has just these. */
export const lists = (...names) =>
  does(
    `lists ${names.join(", ")}`,
    ({ list }) =>
      list?.outcome === "ok" &&
      list.value.status === "complete" &&
      sameNames(list.value.names, names),
  )

/** The list has just these, complete or not. */
export const delivers = (...names) =>
  does(`delivers ${names.join(", ")}`, ({ list }) => sameNames(partOf(list), names))

export const deliversSome = does("delivers what came", ({ list }) => partOf(list).length > 0)

/** The list does not pass for a complete one. */
export const incomplete = does(
  "calls the list incomplete",
  ({ list }) =>
    list?.outcome === "error" || (list?.outcome === "ok" && list.value.status !== "complete"),
)

export const listFails = does(
  "the list fails",
  ({ list }) =>
    list?.outcome === "error" ||
    (list?.outcome === "ok" && ["unavailable", "unsupported"].includes(list.value.status)),
)

/** A complete list, or whatever says that it is none; nobody asks for tools. */
export const resolves = (text, blocks) =>
  does(
    text === undefined ? "the call resolves" : `the call resolves with “${text}”`,
    ({ call }) =>
      call?.outcome === "ok" &&
      (text === undefined || call.value.text === text) &&
      (blocks === undefined || call.value.blocks === blocks),
  )

export const fails = does("the call fails", ({ call }) => call?.outcome === "error")

/** The connection, or something before the call, fails. */
export const failsSomewhere = does(
  "fails",
  (seen) => failing.some((name) => seen[name]?.outcome === "error") || listFails.test(seen),
)

/** The connection is there after the fault: what is asked then gets an answer. */
export const stays = {
  ...does("the connection stays", (seen) =>
    seen.list?.outcome === "ok" && seen.list.value.status === "complete"
      ? seen.again?.outcome === "ok" && seen.again.value.status === "complete"
      : requests(seen, "tools/list").length > 1 && requests(seen, "initialize").length < 2,
  ),
  again: true,
}

/** The connection was lost, and there is a new one, which began with a handshake. */
export const renews = {
  ...does(
    "a new connection begins with initialize",
    (seen) => seen.again?.outcome === "ok" && requests(seen, "initialize").length > 1,
  ),
  again: true,
}

export const closes = does("closes", ({ close }) => close.outcome === "ok")

/** How often the server got a request; `least` without `most` means exactly. */
export const sends = (method, least, most = least) =>
  does(
    `sends ${method} ${least === most ? `${least} times` : `${least} to ${most} times`}`,
    (seen) => {
      const { length } = requests(seen, method)
      return length >= least && length <= most
    },
  )

export const notCalledAgain = does(
  "does not repeat the call",
  (seen) => requests(seen, "tools/call").length === 1,
)

export const notifiesNot = (method) =>
  does(`sends no ${method}`, (seen) => messages(seen, "notification", method).length === 0)

/** Answers a request of the server. */
export const answers = (id, code) =>
  does(`answers ${id}`, (seen) =>
    messages(seen, "response").some(
      ({ message }) =>
        message.id === id &&
        (code === undefined ? "result" in message : message.error?.code === code),
    ),
  )

export const answersNothing = does(
  "answers nothing",
  (seen) => messages(seen, "response").length === 0,
)

/** Any other question to what was received. */
export const received = (label, test) => does(label, (seen) => test(seen.received, seen))

/** Any other question to what the client did. */
export const shows = (label, test) => does(label, test)

export const says = (pattern, label) => ({
  kind: "says",
  label: `says ${label}`,
  test: (seen) => pattern.test(wordsOf(seen)),
})

export const saysNot = (pattern, label) =>
  does(`does not say ${label}`, (seen) => !pattern.test(wordsOf(seen)))

/** Notes are Entente's own: nobody else is asked for them. */
export const notes = (code, count) => ({
  kind: "notes",
  label: `notes ${code}`,
  test: (seen) =>
    seen.clientName !== "entente" ||
    seen.notes.some((note) => note.code === code && (count === undefined || note.count === count)),
})

export const someNote = {
  kind: "notes",
  label: "notes it",
  test: (seen) =>
    seen.clientName !== "entente" ||
    seen.notes.some(({ code }) => code !== "listening-unsupported"),
}

/** The code of the error, which is Entente's own. */
export const code = (wanted) => ({
  kind: "notes",
  label: `has the code ${wanted}`,
  test: (seen) =>
    seen.clientName !== "entente" ||
    failing.some(
      (name) => seen[name]?.error?.code === wanted || seen[name]?.value?.reason?.code === wanted,
    ),
})

/** Calls a tool although only the list is to be tried. */
export const canCall = { ...resolves(), label: "the tool can be called", alsoCall: true }

/** Whatever one of the ways demands; what the best of them lacks is what is lacking. */
export const either = (...ways) => ({ ways })

/** Holds only for clients that got far enough to meet the fault. */
export const needs = (method) => ({
  needs: (seen) => requests(seen, method).length > 0,
  label: `never sends ${method}`,
})
