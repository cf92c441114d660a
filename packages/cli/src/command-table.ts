/** One flag of a command. */
export interface Flag {
  /** What the value is called in the help; a flag without one is a switch. */
  readonly value?: string
  /** Whether it may be given more than once. */
  readonly repeatable?: true
  readonly help: string
}

/** What the help says of a command, and which flags it takes. */
export interface CommandEntry {
  readonly summary: string
  readonly usage: ReadonlyArray<string>
  readonly details: ReadonlyArray<string>
  readonly flags: Readonly<Record<string, Flag>>
}

const common = {
  "no-color": { help: "Never colours (so does the variable NO_COLOR)." },
  help: { help: "Shows this help." },
} as const satisfies Record<string, Flag>

const json = { json: { help: "JSON on stdout, and one line of JSON on stderr for a failure." } }

const from = {
  value: "CLIENT",
  help: "Only the files of this client count; entente config --help names them.",
} as const satisfies Flag

const connecting = {
  ...json,
  config: { value: "FILE", help: "TARGET is the name of a server in this configuration file." },
  from,
  era: { value: "ERA", help: "auto (default), modern, legacy, or one revision: 2025-06-18." },
  header: {
    value: "'NAME: VALUE'",
    repeatable: true,
    help: "A header for every HTTP request or WebSocket handshake; may be repeated.",
  },
  insecure: { help: "Allows ws:// to another machine, where nothing is encrypted." },
  timeout: { value: "SECONDS", help: "Longest wait for each answer, the handshake included." },
  strict: { help: "Turns every tolerated deviation into an error." },
  trace: {
    value: "FILE",
    help: "Writes all that happens to a file, redacted; replay:FILE plays it back.",
  },
  ...common,
} as const satisfies Record<string, Flag>

const targets = [
  "TARGET is a URL (http or ws), unix:PATH, tcp://HOST:PORT, demo, demo:legacy, demo:modern,",
  "replay:FILE, or the name of a server in a configuration file: that of --config, those of the",
  "client in --from, or else all that are found for this folder and this user.",
  "A server to be started comes last, after --, with this shell's environment.",
]

const list = (name: string, what: string): CommandEntry => ({
  summary: `Lists the ${what} of a server.`,
  usage: [`entente ${name} TARGET [flags]`, `entente ${name} [flags] -- COMMAND [ARGUMENT…]`],
  details: [
    ...targets,
    "The list is complete or says why not. Exit code 0: complete, or the server offers none; another",
    "one: the list is partial or unavailable (6, or the code of what went wrong).",
  ],
  flags: connecting,
})

/** Every command of `entente`: the one place where names and flags are written down. */
export const commandTable = {
  snapshot: {
    summary: "Connects and shows everything a server offers.",
    usage: ["entente snapshot TARGET [flags]", "entente snapshot [flags] -- COMMAND [ARGUMENT…]"],
    details: [
      ...targets,
      "Exit code 0: connected. A list that is partial or unavailable says so in the output.",
    ],
    flags: connecting,
  },
  tools: list("tools", "tools"),
  prompts: list("prompts", "prompts"),
  resources: list("resources", "resources"),
  templates: list("templates", "resource templates"),
  call: {
    summary: "Calls a tool and prints its result.",
    usage: [
      "entente call TARGET TOOL [NAME=TEXT | NAME:=JSON]… [flags]",
      "entente call TOOL [NAME=TEXT | NAME:=JSON]… [flags] -- COMMAND [ARGUMENT…]",
    ],
    details: [
      ...targets,
      "NAME=TEXT gives a string, NAME:=JSON anything else: a:=2 list:='[1,2]'.",
      "Exit code 5: the tool ran and reported an error.",
    ],
    flags: {
      args: {
        value: "JSON",
        help: "All arguments as one JSON object; single ones are added to it.",
      },
      ...connecting,
    },
  },
  catalog: {
    summary: "Shows the tools of all servers in a configuration file, as one list.",
    usage: [
      "entente catalog [--config FILE | --from CLIENT] [flags]",
      "entente catalog [--config FILE | --from CLIENT] --format FORMAT [--strict-mode] [flags]",
      "entente catalog [--config FILE | --from CLIENT] --watch [flags]",
    ],
    details: [
      "Each server connects by itself; one that fails costs the others nothing. Without --config and",
      "--from all files count that are found for this folder and this user.",
      "FORMAT is anthropic, openai, openai-responses, gemini, bedrock or ai-sdk: the tools as JSON on",
      "stdout, as that API takes them, and on stderr everything that had to be changed for it.",
      "Exit code 0: every server has shown its tools; otherwise that of the first that has not. 7: the",
      "file has errors, so that a server of it cannot be used.",
    ],
    flags: {
      ...json,
      config: { value: "FILE", help: "The configuration file." },
      from,
      format: { value: "FORMAT", help: "Prints the tools in the form that a model API takes." },
      "strict-mode": { help: "Asks for the API's strict mode, for each tool that allows it." },
      watch: { help: "Stays, and shows every change as it comes; with --json a line for each." },
      timeout: connecting.timeout,
      ...common,
    },
  },
  charts: {
    summary: "Shows the state charts of a connection.",
    usage: [
      "entente charts [flags]",
      "entente charts NAME [--format FORMAT] [--state STATE]… [flags]",
      "entente charts [NAME] --out DIR [--format FORMAT] [flags]",
    ],
    details: [
      "Without NAME and --out: lists the charts. FORMAT is text (an outline), mermaid, svg, or json (a",
      "config for XState's createMachine(…); put into these parentheses, Stately's editor imports it).",
      "Without --format: text on a terminal, mermaid otherwise.",
    ],
    flags: {
      ...json,
      format: { value: "FORMAT", help: "text, mermaid, svg or json." },
      state: {
        value: "STATE",
        repeatable: true,
        help: "Marks a state, for example ready.legacy; may be repeated.",
      },
      out: { value: "DIR", help: "Writes a file for each chart, or for the one that is named." },
      ...common,
    },
  },
  config: {
    summary: "Lists, checks and translates the configuration files of MCP clients.",
    usage: [
      "entente config list [--from CLIENT] [flags]",
      "entente config check [FILE] [--from CLIENT] [flags]",
      "entente config translate FILE --to CLIENT [--from CLIENT] [flags]",
    ],
    details: [
      "list says which files were found, and which servers they name. check says what is wrong with a",
      "file, and what other clients would read differently; without FILE it looks at all that are found.",
      "translate writes the servers of a file as a file of another client, on stdout.",
      "CLIENT is one of claude-desktop, claude-code, cursor, vscode, windsurf, antigravity, gemini,",
      "codex, goose, opencode, junie, mcporter, plain (any mcp.json). Without --from the path decides.",
      "Secrets are never shown. Exit code 7: there are warnings or errors; 1: a file cannot be read.",
    ],
    flags: {
      ...json,
      from: { value: "CLIENT", help: "Whose file it is, or only the files of this client." },
      to: { value: "CLIENT", help: "Whose file is to be written." },
      "copy-secrets": {
        help: "Copies what is written in the file, instead of references to variables.",
      },
      ...common,
    },
  },
  replay: {
    summary: "Replays a recorded trace, and shows what the state charts make of it.",
    usage: ["entente replay FILE [--step | --speed N] [flags]"],
    details: [
      "FILE is what --trace FILE wrote. A real client runs over the recording and does what the recorded",
      "one did; after each message the states of its charts are shown, what has changed first.",
      "With --step each message waits for Enter or the space bar; q ends it.",
      "Exit code 0: the replay came to its end; 6: it went another way than the recording; 1: the file",
      "cannot be read. A file that breaks off is replayed as far as it goes.",
    ],
    flags: {
      ...json,
      step: { help: "Waits for a key before each message; needs a terminal." },
      speed: { value: "N", help: "As fast as it was recorded (1), or N times as fast." },
      ...common,
    },
  },
  doctor: {
    summary: "Says why tools are missing: which message differs, what that means, what to change.",
    usage: [
      "entente doctor TARGET [flags]",
      "entente doctor [flags] -- COMMAND [ARGUMENT…]",
      "entente doctor --config FILE | --from CLIENT [flags]",
      "entente doctor --client CLIENT [--server NAME] [flags]",
      "entente doctor --log FILE [--server NAME] [flags]",
    ],
    details: [
      ...targets,
      "A server is examined by a client that lists its tools, then by small experiments; no tool is ever",
      "called. With --config or --from and no TARGET all servers there are examined, one by one. What",
      "--trace wrote is diagnosed once more by --log FILE or replay:FILE: nothing is started or asked.",
      "--log also reads HAR files, lines of JSON-RPC and the logs of Claude Desktop, Claude Code, Cursor,",
      "VS Code, Gemini CLI and the Inspector. --client looks into that client's own files as well: what",
      "switches off, lists, does not expand or caps, held against what the server offers.",
      "Credentials in headers or in the address are left out in the experiments that ask without them.",
      "FORMAT is anthropic, openai, openai-responses, gemini, bedrock or ai-sdk.",
      "Exit code 0: healthy; 7: degraded or failed, for several servers if one of them is.",
    ],
    flags: {
      ...json,
      markdown: { help: "Markdown on stdout, to be pasted into an issue." },
      junit: { help: "JUnit XML on stdout, for a build." },
      log: { value: "FILE", help: "Diagnoses what was recorded; - reads it from stdin." },
      client: { value: "CLIENT", help: "Examines the servers of this client as it is set up." },
      server: { value: "NAME", help: "The one server of the client, or of the log." },
      format: { value: "FORMAT", help: "Also says which tools a model API would not take." },
      wait: {
        value: "SECONDS",
        help: "After which an empty list is read once more; 3 by default.",
      },
      origin: { value: "URL", help: "The page that a browser would be on, for what CORS allows." },
      "no-experiments": { help: "Only connects and lists, as a client would by itself." },
      config: connecting.config,
      from,
      era: connecting.era,
      header: connecting.header,
      insecure: connecting.insecure,
      timeout: connecting.timeout,
      trace: {
        value: "FILE",
        help: "Writes all that happens to a file, redacted; --log FILE reads it again.",
      },
      ...common,
    },
  },
  demo: {
    summary: "Runs the bundled server, a small library to try things on.",
    usage: ["entente demo [--era dual|legacy|modern]", "entente demo --http [--port N]"],
    details: ["Speaks over stdio, or over HTTP on this machine only, until it is stopped."],
    flags: {
      era: { value: "ERA", help: "dual (default), legacy or modern: which eras it speaks." },
      http: { help: "Serves Streamable HTTP and prints its address." },
      port: { value: "N", help: "The port for --http; without it a free one is taken." },
      ...common,
    },
  },
  tap: {
    summary: "Writes down what any client and its server say, between the two.",
    usage: [
      "entente tap --trace FILE [flags] -- COMMAND [ARGUMENT…]",
      "entente tap --http URL --trace FILE [--port N] [flags]",
    ],
    details: [
      "Over stdio it takes the place of the server in the client's configuration and starts the server",
      "itself. Every byte goes on unchanged; the server's end and exit code become those of the tap.",
      '  "command": "entente", "args": ["tap", "--trace", "FILE", "--", "npx", "some-server"]',
      "Give the full path of FILE there: clients start their servers in folders of their own choice.",
      "With --http it listens on this machine only and prints the address to give the client instead",
      "of URL. Requests of pages from other origins are refused.",
      "FILE is written as things happen, redacted: entente doctor --log FILE reads it at any time.",
    ],
    flags: {
      trace: {
        value: "FILE",
        help: "Where everything is written; a file that is there is added to.",
      },
      http: {
        value: "URL",
        help: "The server behind a URL; all paths of its origin are handed on.",
      },
      port: { value: "N", help: "The port for --http; without it a free one is taken." },
      quiet: { help: "Says nothing on stderr about what passes." },
      ...common,
    },
  },
} as const satisfies Record<string, CommandEntry>

export type CommandName = keyof typeof commandTable

export const commandNames = Object.keys(commandTable) as ReadonlyArray<CommandName> // `keys` loses the names

export const isCommandName = (word: string): word is CommandName =>
  Object.hasOwn(commandTable, word)
