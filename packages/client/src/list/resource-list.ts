import type * as Stream from "effect/Stream"
import type { EntenteError } from "@entente/protocol"
import type { Connection } from "../call/connection.js"
import {
  ResourceSubscriptions,
  type ResourceUpdated,
} from "../subscription/resource-subscriptions.js"
import { watchSubscription } from "../watch.js"
import { List } from "./list.js"

/** A list of resources, with the list of their templates beside it. */
export class ResourceList extends List<"resources/list"> {
  readonly templates: List<"resources/templates/list">
  readonly subscriptions: ResourceSubscriptions
  readonly #connection: Connection

  constructor(connection: Connection) {
    super(connection, "resources/list")
    this.#connection = connection
    this.templates = new List(connection, "resources/templates/list")
    this.subscriptions = new ResourceSubscriptions(connection)
  }

  /**
   * Says when to read a resource again. The server is subscribed to for as long as the stream is read; it
   * fails where the server does not offer that (`CapabilityMissing`, nothing is sent) or does not agree.
   */
  updates(uri: string): Stream.Stream<ResourceUpdated, EntenteError> {
    return watchSubscription(this.#connection.life, "updates of a resource", (listener, done) =>
      this.subscriptions.subscribe(uri, listener, done),
    )
  }
}
