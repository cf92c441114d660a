import { execFile, spawnSync } from "node:child_process"
import { treeWarden } from "./tree-warden.js"

/** A process and all that descend from it. */
export interface ProcessTree {
  /** Asks (SIGTERM) or forces (SIGKILL) every one of them to end. Quiet if none is left. */
  readonly signal: (signal: "SIGTERM" | "SIGKILL") => void
  /** Forces them to end before this function returns; for the last moment of this process. */
  readonly killNow: () => void
  /** Has the tree ended by somebody else, should this process be gone first; `release` takes it back. */
  readonly outlive: () => void
  readonly release: () => void
}

/**
 * On POSIX the process was started as the leader of a group of its own, so one signal reaches the
 * whole tree, also after the leader is gone. On Windows `taskkill /T` walks the tree from the root and
 * can't find descendants of a root that has already ended.
 */
export const processTree = (pid: number, platform: NodeJS.Platform): ProcessTree =>
  platform === "win32" ? windowsTree(pid) : processGroup(pid)

const processGroup = (leader: number): ProcessTree => {
  const signal = (name: "SIGTERM" | "SIGKILL"): void => {
    try {
      process.kill(-leader, name)
    } catch {
      // ESRCH: nobody is left; EPERM (macOS): only corpses are.
    }
  }
  return {
    signal,
    killNow: () => signal("SIGKILL"),
    outlive: () => treeWarden.guard(leader),
    release: () => treeWarden.release(leader),
  }
}

const windowsTree = (root: number): ProcessTree => {
  const inTree = ["/pid", String(root), "/T"]
  return {
    signal: (name) => {
      const args = name === "SIGKILL" ? [...inTree, "/F"] : inTree
      // What taskkill answers is of no use: the process's own exit is what counts.
      execFile("taskkill", args, { windowsHide: true }, () => {})
    },
    killNow: () => {
      spawnSync("taskkill", [...inTree, "/F"], { windowsHide: true })
    },
    // No process groups, no shell: a server there sees the end of its stdin, and has to leave by itself.
    outlive: () => {},
    release: () => {},
  }
}

const living = new Set<ProcessTree>()

const killTheLiving = (): void => {
  for (const tree of living) tree.killNow()
}

/**
 * Sees to it that a tree does not outlive this process, whatever way this process ends. What ends it
 * from the inside (the end of the program, `process.exit`, an uncaught exception) is met here, by one
 * listener for all trees; what ends it from the outside (a signal, a crash) by the warden. The function
 * returned lifts the guard.
 */
export const guardTree = (tree: ProcessTree): (() => void) => {
  if (living.size === 0) process.on("exit", killTheLiving)
  living.add(tree)
  tree.outlive()
  return () => {
    if (!living.delete(tree)) return
    tree.release()
    if (living.size === 0) process.off("exit", killTheLiving)
  }
}
