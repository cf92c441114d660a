export const help = `entente-testkit: MCP servers that misbehave in a named way, for trying any client on them.

Usage:
  entente-testkit list [--json]
  entente-testkit serve NAME [--over http|stdio|sse|ws] [--era legacy|modern]
                             [--port N] [--host ADDRESS] [--log]

list    shows every misbehaviour with what the server does; --json adds what a good client
        shows, what to try, and the requirements it is about.
serve   http, sse (HTTP+SSE of 2024-11-05), ws (WebSocket): prints the address and what to
        expect, then a line for everything received, until Ctrl-C. Where the server
        changes as the story goes on, Enter begins it anew.
        stdio: is the server itself, on stdin and stdout: put the command into the
        configuration of a client. It does what the misbehaviour says, up to dying.

  --over       where it is served; without it the first that list shows
  --era        legacy (initialize) or modern (2026-07-28), where both are possible
  --port N     without it a free one is taken
  --host       without it 127.0.0.1: this machine only
  --log        stdio: tells on stderr what is received

Exit codes: 0 ended by the user · 1 the address cannot be used · 2 usage
Try: entente-testkit serve same-cursor-forever
`
