/** What such a server does, as a sentence for notes and errors. */
export const contentLengthFraming =
  "It frames messages with Content-Length, as language servers do; MCP wants one message per line."

export const contentLengthHint =
  "Start the program in its MCP mode, if it has one: as it runs now it speaks the framing of language servers."

/**
 * Whether a line is the header that goes before each message of the Language Server Protocol. Its
 * body may well have no line end at all, so that the header is all that a reader of lines ever sees.
 */
export const isContentLengthHeader = (line: string): boolean =>
  /^(?:content-length[ \t]*:[ \t]*\d+|content-type[ \t]*:[ \t]*application\/vscode-jsonrpc\b.*)[ \t]*$/i.test(
    line,
  )
