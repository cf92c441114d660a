import { spawn, type ChildProcess } from "node:child_process"

/**
 * Reads "+ group" and "- group", a line each, until its stdin ends. That is when the process that
 * writes to it is gone, whatever way it went; then the groups that are left go down the rest of the
 * shutdown ladder. Their stdin has ended with the same process, so the first rung is only to wait.
 */
const watch = `
groups=' '
while read -r change group; do
  case $change in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
pause() { sleep 0.5 2>/dev/null || sleep 1; }
tell() { for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done; }
case $groups in
  *[0-9]*) pause; tell TERM; pause; tell KILL ;;
esac
`

/**
 * A small shell that outlives this process in order to end the process groups this one leaves behind:
 * after a signal, a crash or even SIGKILL, where no code of this process runs any more. Nothing is
 * installed in this process for it, so whatever the host does about signals stays as it is. The shell
 * leads a group of its own, because Ctrl-C reaches everything in the group of a terminal.
 *
 * It runs only while there is something to guard. Without a shell (and on Windows) there is no warden.
 */
class TreeWarden {
  readonly #groups = new Set<number>()
  #shell: ChildProcess | undefined

  guard(group: number): void {
    this.#groups.add(group)
    if (this.#shell === undefined) this.#start()
    this.#tell(`+ ${group}\n`)
  }

  release(group: number): void {
    if (!this.#groups.delete(group)) return
    if (this.#groups.size > 0) return this.#tell(`- ${group}\n`)
    this.#shell?.kill("SIGKILL")
    this.#shell = undefined
  }

  #start(): void {
    const shell = spawn("/bin/sh", ["-c", watch], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      env: { PATH: "/usr/bin:/bin" },
      cwd: "/",
    })
    // A warden that can't work is no reason to fail: the groups are still ended by whoever started them.
    shell.on("error", () => {})
    shell.stdin.on("error", () => {})
    shell.unref()
    // The pipe is a socket, which could keep this process alive; its type does not say so.
    if ("unref" in shell.stdin && typeof shell.stdin.unref === "function") shell.stdin.unref()
    this.#shell = shell
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(line)
  }
}

/** One warden serves all trees of this process. */
export const treeWarden = new TreeWarden()
