import type { Gate } from "./gate.js"
import type { Revision } from "./revision.js"
import type { Shape } from "./schema/open.js"

/** Who may send a message. */
export type Sender = "client" | "server" | "both"

/** What all revisions of one era have in common about a method. */
interface Form {
  /** The first revision that knows it; every later one of the same era does as well. */
  readonly since: Revision
  /** Narrower than the row's, where this era allows less. */
  readonly sender?: Sender
  /** Instead of the row's. */
  readonly gate?: Gate
  /** `params`, `_meta` included, as it is on the wire. */
  readonly params: Shape
}

interface RequestForm extends Form {
  /** The result when nothing more is to come, as it is on the wire. */
  readonly result: Shape
}

interface ModernRequestForm extends RequestForm {
  /**
   * The member of `params` that goes into the header `Mcp-Name` as well (V26-HDR-03, V26-HDR-04).
   */
  readonly mirrors?: "name" | "uri" | "taskId"
}

/** How the pages of a list are read. */
export interface PageRow {
  /** The member of the result that holds the items. */
  readonly member: string
  readonly item: Shape
  /** The member that tells items apart. */
  readonly key: string
}

interface Row<Legacy, Modern> {
  readonly sender: Sender
  readonly gate?: Gate
  /** Absent where the era does not have the method. */
  readonly legacy?: Legacy
  readonly modern?: Modern
}

/** Everything that is known about one request. */
export interface RequestRow extends Row<RequestForm, ModernRequestForm> {
  /**
   * Whether it may be sent again when its answer was lost, because doing it twice changes nothing
   * (V26-HTTP-09).
   */
  readonly replaySafe: boolean
  /** Whether a modern result says how long it stays fresh (V26-CACHE-01). */
  readonly cacheable?: true
  /** Whether a modern server may answer with `input_required` (V26-MRTR-01). */
  readonly multiRound?: true
  /** Whether its work may last, so that the server is always invited to report progress (C062). */
  readonly reportsProgress?: true
  /** Whether a modern server may answer with a task (V26-TASK-02). */
  readonly taskable?: true
  readonly page?: PageRow
}

/** Everything that is known about one notification. */
export type NotificationRow = Row<Form, Form>
