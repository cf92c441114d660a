export { clientKinds, isClientKind, type ClientKind } from "./client/client-kind.js"
export type {
  ClientRow,
  Expansion as ClientExpansion,
  Field,
  Members,
  RemoteTransport,
  Unset,
} from "./client/client-row.js"
export { clients } from "./client/clients.js"
export { guessClient } from "./client/guess-client.js"
export { pathOf, type FileLocation, type Surroundings } from "./client/locations.js"
export { findingCodes, type ConfigFinding, type FindingCode, type Severity } from "./finding.js"
export type {
  Expanded,
  ExpandedServer,
  InputDefinition,
  LocalServer,
  Provenance,
  RemoteServer,
  ServerConfig,
  ServerFacts,
} from "./server-config.js"
export type { Part, Place, Template } from "./template/template.js"
export type { Syntax } from "./template/syntax.js"
export { readConfig, type ReadConfig, type ReadOptions } from "./read/read-config.js"
export { expandServer, type Expansion, type ExpandOptions } from "./expand/expand-server.js"
export { checkConfig, type CheckedConfig, type CheckOptions } from "./check/check-config.js"
export {
  translate,
  type TranslateInput,
  type TranslateOptions,
  type Translation,
} from "./translate/translate.js"
export { isSameServer } from "./same-server.js"
export { shownServer } from "./shown.js"
export {
  configLocations,
  findConfigs,
  type FindOptions,
  type FoundConfig,
} from "./files/find-configs.js"
export {
  expandOptionsFor,
  loadConfig,
  readConfigFile,
  type LoadedConfig,
  type LoadOptions,
} from "./files/load-config.js"
export { serversOf, transportOf, type TransportOptions } from "./files/servers-of.js"
export { hiding } from "./hiding/hiding.js"
export type { CapFact, HidingPlace, HidingRow, HidingRule } from "./hiding/hiding-row.js"
export type { ToolNames } from "./hiding/apply-rule.js"
export {
  readHiding,
  type Hidden,
  type HidingReader,
  type MemberPlace,
} from "./hiding/read-hiding.js"
export { entryMembers, type EntryMember } from "./hiding/entry-place.js"
