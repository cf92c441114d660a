import type {
  CatalogChange,
  CatalogTool,
  CatalogTools,
  Projection,
  ServerStatus,
} from "@entente/catalog"

/** A tool of the catalog as `--json` shows it. */
const toolJson = ({ id, server, tags, fingerprint, tool }: CatalogTool) => ({
  id,
  server,
  tags,
  fingerprint,
  tool,
})

/** A catalog as `--json` shows it. */
export const catalogJson = (
  status: ReadonlyArray<ServerStatus>,
  tools: CatalogTools,
  projection?: Projection,
) => ({
  version: tools.version,
  servers: status,
  tools: tools.tools.map(toolJson),
  collisions: tools.collisions,
  stale: tools.stale,
  ...(projection === undefined
    ? {}
    : {
        projection: {
          tools: projection.tools,
          names: projection.names.all.map(({ name, server, tool }) => ({
            name,
            server,
            tool: tool.name,
          })),
          report: projection.report,
        },
      }),
})

/** A change as `--watch --json` shows it. */
export const changeJson = (change: CatalogChange) =>
  change.kind === "status"
    ? change
    : {
        ...change,
        added: change.added.map(toolJson),
        removed: change.removed.map(toolJson),
        changed: change.changed.map(({ before, after, ...rest }) => ({
          ...rest,
          before: toolJson(before),
          after: toolJson(after),
        })),
      }
