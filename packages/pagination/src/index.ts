export {
  collect,
  type CompleteWalk,
  type PartialReason,
  type PartialWalk,
  type Walk,
} from "./collect.js"
export { collectVerified, maxVerifyingWalks } from "./collect-verified.js"
export type { FetchedPage, FetchPage, Page, Position } from "./page.js"
export { paginate, type Pagination } from "./paginate.js"
export type { PaginationNote, PaginationPolicy } from "./policy.js"
export { PaginationStopped, type StopReason } from "./stop.js"
