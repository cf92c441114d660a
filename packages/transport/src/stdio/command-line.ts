import { redactCommand } from "@entente/trace"

/** A command as errors and traces name it: redacted, and quoted so that each argument is seen as one. */
export const commandLine = (command: string, args: ReadonlyArray<string>): string =>
  redactCommand(command, args).map(quoted).join(" ")

const quoted = (argument: string): string =>
  /^[^\s"'\\\p{C}]+$/u.test(argument) ? argument : JSON.stringify(argument)
