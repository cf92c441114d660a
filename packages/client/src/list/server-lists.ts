import type { AcknowledgedFilter } from "@entente/session"
import type { Connection } from "../call/connection.js"
import { tellsOfList } from "../subscription/listen-filter.js"
import type { List } from "./list.js"
import type { ListName } from "./snapshot.js"

/** The method that reads each list. */
export interface MethodOf {
  readonly tools: "tools/list"
  readonly prompts: "prompts/list"
  readonly resources: "resources/list"
  readonly templates: "resources/templates/list"
}

/** The lists of one server. */
export type ServerLists = { readonly [Name in ListName]: List<MethodOf[Name]> }

const all = ({ tools, prompts, resources, templates }: ServerLists) =>
  [tools, prompts, resources, templates] as const

/** The lists of whose changes a server tells. */
const covered = (lists: ServerLists, filter: AcknowledgedFilter) =>
  all(lists).filter(
    ({ notice }) =>
      filter === "everything" || (notice !== undefined && tellsOfList(filter, notice)),
  )

/**
 * Tells the lists, and what depends on tools, what is heard of them: notices, losses, gaps, and that the server is
 * there again (C019, C118). The lists may be made later than this begins.
 */
export const keepInformed = (
  { life, outputSchemas }: Connection,
  lists: () => ServerLists,
): void => {
  life.notified.add(({ method }) => {
    if (method === "notifications/tools/list_changed") outputSchemas.doubt()
    for (const list of all(lists())) if (list.notice === method) list.markChanged()
  })
  life.interrupted.add(() => {
    outputSchemas.doubt()
    for (const list of all(lists())) list.markLost()
  })
  life.missed.add((filter) => {
    for (const list of covered(lists(), filter)) {
      list.markMissed()
      if (list.method === "tools/list") outputSchemas.doubt()
    }
  })
  life.heardAgain.add((filter) => {
    for (const list of covered(lists(), filter)) list.markHeardAgain()
  })
  const heard = (): void => {
    for (const list of all(lists())) list.markListening()
  }
  life.listening.changed.add(heard)
  life.listening.granted.add(heard)
  life.recovered.add(() => {
    for (const list of all(lists())) list.markRecovered()
  })
}
