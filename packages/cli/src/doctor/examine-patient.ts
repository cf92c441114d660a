import { diagnose, examine, type Report } from "@entente/doctor"
import type { Format } from "@entente/catalog"
import { modeOf } from "../connection.js"
import type { ExaminingAll } from "../doctor-arguments.js"
import type { Io } from "../io.js"
import { openEventFile } from "../trace-file.js"
import type { PatientFile } from "./patient.js"
import { projectionView } from "./projection-view.js"

export interface ExaminationOptions extends ExaminingAll {
  readonly format: Format | undefined
  /** The file that the whole trace is written to. */
  readonly trace?: string | undefined
  readonly onProgress: (what: string) => void
}

/** The examination of one server, with what is written on the way. */
export const examinePatient = async (
  { name, way, context }: PatientFile,
  options: ExaminationOptions,
  io: Io,
): Promise<Report> => {
  const { era, waitMs, origin, experiments, format, trace: path, onProgress } = options
  if (way === undefined) return { name, diagnosis: diagnose([], context), trace: [] }
  const mode = modeOf(era)
  // Who names a page asks as one whose client runs in a browser.
  const known = origin === undefined ? context : { ...context, browser: true }
  const timeoutMs = options.timeoutMs ?? way.timeoutMs
  const file = path === undefined ? undefined : await openEventFile(path, io)
  try {
    const { trace, diagnosis } = await examine(
      way,
      {
        mode,
        experiments,
        onProgress,
        secretNames: way.headerNames,
        signal: io.signal,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(waitMs === undefined ? {} : { waitMs }),
        ...(origin === undefined ? {} : { origin }),
        ...(file === undefined ? {} : { reader: file.read }),
      },
      known,
    )
    if (format === undefined) return { name, diagnosis, trace }
    const projection = projectionView(trace, format)
    return { name, diagnosis: diagnose(trace, { ...known, projection }), trace }
  } finally {
    await file?.close()
  }
}
