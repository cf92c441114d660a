/** A file of its own in the bundled command too: what lays pictures out is as large as all the rest. */
export { toSvg } from "@entente/charts/svg"
