/** Variables by name; undefined stands for "not set". */
export type Environment = Readonly<Record<string, string | undefined>>

const words = (line: string): ReadonlyArray<string> => line.split(" ")

/**
 * What a server needs to find its programs, its home, its language, a display and the way through a
 * proxy. Whatever else the parent holds, above all its secrets, stays behind unless it is named
 * (V25-STDIO-09, V26-STDIO-11). A name that ends in `*` stands for every name that begins so.
 */
const inheritedOnPosix = [
  "HOME LOGNAME PATH SHELL TERM TMPDIR TZ USER",
  "LANG LANGUAGE LC_*",
  "XDG_* DISPLAY WAYLAND_DISPLAY XAUTHORITY",
].flatMap(words)

/** cmd shims, DLL loading and container plug-ins all fail without some of these (C106). */
const inheritedOnWindows = [
  "PATH PATHEXT COMSPEC WINDIR SYSTEMROOT SYSTEMDRIVE",
  "PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 ALLUSERSPROFILE",
  "COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432",
  "APPDATA LOCALAPPDATA HOMEDRIVE HOMEPATH USERPROFILE USERNAME USERDOMAIN",
  "TMP TEMP OS NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE COMPUTERNAME",
].flatMap(words)

const inheritedEverywhere = [
  "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY",
  "http_proxy https_proxy all_proxy no_proxy",
  "NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE",
  // Where version managers keep the programs that PATH only has shims of.
  "NVM_DIR FNM_DIR VOLTA_HOME ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR",
  "PNPM_HOME BUN_INSTALL DENO_DIR PYENV_ROOT CARGO_HOME GOPATH JAVA_HOME",
  "DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT",
].flatMap(words)

export interface EnvironmentInput {
  readonly platform: NodeJS.Platform
  /** What this process has. */
  readonly parent: Environment
  /** What the caller sets; undefined removes what would be inherited. */
  readonly given: Environment
  /** `true`: everything of the parent. Names: these as well as the default ones. */
  readonly inherit: boolean | ReadonlyArray<string>
}

/**
 * The environment of a server process. On Windows names differ in more than case or not at all, so a
 * given `Path` replaces the parent's `PATH` and never stands beside it (C106).
 *
 * @example
 * childEnvironment({ platform: "linux", parent: process.env, given: { TOKEN: "t" }, inherit: false })
 */
export const childEnvironment = (input: EnvironmentInput): Record<string, string> => {
  const identity = (name: string) => (input.platform === "win32" ? name.toUpperCase() : name)
  const isInherited = inheritance(input, identity)
  const merged = new Map<string, readonly [name: string, value: string]>()
  for (const [name, value] of Object.entries(input.parent)) {
    if (value === undefined || !isInherited(name)) continue
    // An exported shell function; a shell that starts below would run it.
    if (value.startsWith("()")) continue
    merged.set(identity(name), [name, value])
  }
  for (const [name, value] of Object.entries(input.given)) {
    if (value === undefined) merged.delete(identity(name))
    else merged.set(identity(name), [name, value])
  }
  return Object.fromEntries(merged.values())
}

const inheritance = (
  { inherit, platform }: EnvironmentInput,
  identity: (name: string) => string,
): ((name: string) => boolean) => {
  if (inherit === true) return () => true
  const own = platform === "win32" ? inheritedOnWindows : inheritedOnPosix
  const named = inherit === false ? [] : inherit
  const all = [...own, ...inheritedEverywhere, ...named].map(identity)
  const exact = new Set(all)
  const prefixes = all.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1))
  return (name) =>
    exact.has(identity(name)) || prefixes.some((prefix) => identity(name).startsWith(prefix))
}

/** A variable by name, found as the platform finds it. */
export const lookUp = (
  environment: Environment,
  name: string,
  platform: NodeJS.Platform,
): string | undefined => {
  if (platform !== "win32") return environment[name]
  const found = Object.keys(environment).find((one) => one.toUpperCase() === name)
  return found === undefined ? undefined : environment[found]
}
