import {
  diagnose,
  junitReport,
  markdownReport,
  type LogReading,
  type Report,
} from "@entente/doctor"
import type { ConfigFinding } from "@entente/catalog/config"
import { clientPatients } from "../doctor/client-patients.js"
import { configuredPatients } from "../doctor/configured-patients.js"
import { examinePatient, type ExaminationOptions } from "../doctor/examine-patient.js"
import { loggedOnCommandLine, onCommandLine } from "../doctor/on-command-line.js"
import type { PatientFile } from "../doctor/patient.js"
import { projectionView } from "../doctor/projection-view.js"
import { readLogFile } from "../doctor/read-log-file.js"
import type { DoctorInvocation, DoctorSubject, Examining } from "../doctor-arguments.js"
import { exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { diagnosesText } from "../render/diagnosis-table.js"
import { diagnosisText } from "../render/diagnosis.js"
import { findingLine } from "../render/findings.js"
import { jsonLine } from "../render/json-line.js"
import { LiveLine } from "../render/live-line.js"
import { styleOf } from "../render/style.js"
import { widthFor } from "../render/table.js"
import { oneLine } from "../render/visible-text.js"
import { UsageError } from "../usage-error.js"
import { wayTo } from "../way-to.js"

/** What was found of one or of several servers, and what else a program may want to know. */
interface Found {
  readonly reports: ReadonlyArray<Report>
  /** Whether several servers were asked for, however many there are. */
  readonly several: boolean
  readonly faults?: ReadonlyArray<ConfigFinding>
  readonly switchedOff?: ReadonlyArray<string>
  readonly log?: Pick<LogReading, "format" | "problems">
}

type Tell = (server: string | undefined, what: string) => void

/** A live line for a person at a terminal, lines where there is none, and nothing for programs. */
const progress = ({ json }: DoctorInvocation, io: Io) => {
  const live = new LiveLine(io.stderr)
  const tell: Tell = (server, what) => {
    const text = `${server === undefined ? "" : `${server}: `}${what} …`
    if (io.stderr.isTTY === true) live.show(text)
    else if (!json) io.stderr.write(`${oneLine(text)}\n`)
  }
  return { tell, clear: () => live.clear() }
}

/** Lines of a log that cannot be read and are named one by one. */
const mostNamed = 5

const warnOfLog = ({ problems }: LogReading, io: Io): void => {
  for (const { line, detail } of problems.slice(0, mostNamed)) {
    // What is about the whole file has no line.
    io.stderr.write(`warning: ${line === 0 ? "" : `line ${line}: `}${oneLine(detail)}\n`)
  }
  const more = problems.length - mostNamed
  if (more > 0) io.stderr.write(`warning: ${more} more of such lines\n`)
}

const ofLog = async (
  { path, server }: Extract<DoctorSubject, { readonly kind: "log" }>,
  invocation: DoctorInvocation,
  io: Io,
): Promise<Found> => {
  const log = await readLogFile(path, server, io)
  const { events: trace, format: written, problems, shown } = log
  if (!invocation.json) warnOfLog(log, io)
  const { format } = invocation
  const target = loggedOnCommandLine(log)
  const diagnosis = diagnose(trace, {
    ...(target === undefined ? {} : { target }),
    ...(shown === undefined ? {} : { shown }),
    ...(format === undefined ? {} : { projection: projectionView(trace, format) }),
  })
  const name = path === "-" ? "stdin" : path
  return {
    reports: [{ name, diagnosis, trace }],
    several: false,
    log: { format: written, problems: problems.slice(0, 100) },
  }
}

const ofServer = async (
  how: Examining,
  { format }: DoctorInvocation,
  tell: Tell,
  io: Io,
): Promise<Found> => {
  const { target } = how
  const way = await wayTo(target, how, io)
  const named = onCommandLine(target)
  const patient: PatientFile = {
    // As the trace has it: without secrets.
    name: target.kind === "demo" || target.kind === "server" ? target.name : way.transport().target,
    way,
    context: named === undefined ? {} : { target: named },
  }
  const onProgress = (what: string): void => tell(undefined, what)
  const report = await examinePatient(patient, { ...how, format, onProgress }, io)
  return { reports: [report], several: false }
}

const ofAll = async (
  patients: ReadonlyArray<PatientFile>,
  how: Omit<ExaminationOptions, "onProgress">,
  tell: Tell,
  io: Io,
): Promise<ReadonlyArray<Report>> => {
  const reports: Array<Report> = []
  // One after the other: a machine that starts all programs at once makes healthy ones look slow.
  for (const patient of patients) {
    const onProgress = (what: string): void => tell(patient.name, what)
    reports.push(await examinePatient(patient, { ...how, onProgress }, io))
  }
  return reports
}

const find = async (
  subject: DoctorSubject,
  invocation: DoctorInvocation,
  tell: Tell,
  io: Io,
): Promise<Found> => {
  const { format } = invocation
  switch (subject.kind) {
    case "log":
      return ofLog(subject, invocation, io)
    case "server":
      return ofServer(subject.how, invocation, tell, io)
    case "servers": {
      const { patients, faults, switchedOff } = await configuredPatients(subject.source, io)
      if (patients.length === 0) {
        throw new UsageError(
          switchedOff.length === 0
            ? "No server is named there."
            : `Every server there is switched off: ${switchedOff.join(", ")}.`,
          "entente config list says what the files name; a server is examined by its name, too.",
        )
      }
      const reports = await ofAll(patients, { ...subject.how, format }, tell, io)
      return { reports, several: true, faults, switchedOff }
    }
    case "client": {
      const patients = await clientPatients(subject.client, subject.server, io)
      if (patients.length === 0) {
        throw new UsageError(`No file of ${subject.client} names such a server.`)
      }
      const reports = await ofAll(patients, { ...subject.how, format }, tell, io)
      return { reports, several: subject.server === undefined }
    }
  }
}

/** What stands beside the diagnoses, for people. */
const warnOfFiles = (
  { faults = [], switchedOff = [] }: Found,
  { color }: DoctorInvocation,
  io: Io,
): void => {
  const style = styleOf(io.stderr, io, color)
  for (const fault of faults) io.stderr.write(`${findingLine(fault, style)}\n`)
  for (const id of switchedOff) {
    io.stderr.write(`note: ${oneLine(id)} is switched off in its file and was not examined.\n`)
  }
}

const asJson = ({ reports, several, faults, switchedOff, log }: Found): string => {
  const [first] = reports
  return jsonLine(
    several || first === undefined
      ? {
          servers: reports.map(({ name, diagnosis }) => ({ name, ...diagnosis })),
          ...(faults === undefined ? {} : { faults }),
          ...(switchedOff === undefined ? {} : { switchedOff }),
        }
      : { ...first.diagnosis, ...(log === undefined ? {} : { log }) },
  )
}

const asText = ({ reports, several }: Found, { color }: DoctorInvocation, io: Io): string => {
  const style = styleOf(io.stdout, io, color)
  const width = widthFor(io.stdout)
  const [first] = reports
  const lines =
    several || first === undefined
      ? diagnosesText(reports, width, style)
      : diagnosisText(first, width, style)
  return lines.join("\n")
}

const exitCodeFor = ({ reports, faults = [] }: Found): ExitCode => {
  const isIll = reports.some(({ diagnosis }) => diagnosis.verdict !== "healthy")
  const isBroken = faults.some(({ severity }) => severity === "error")
  return isIll || isBroken ? exitCodes.findings : exitCodes.ok
}

/** Says what is wrong with a server, with all servers of a file, or with what was recorded. */
export const doctor = async (invocation: DoctorInvocation, io: Io): Promise<ExitCode> => {
  const { tell, clear } = progress(invocation, io)
  try {
    const found = await find(invocation.subject, invocation, tell, io)
    clear()
    if (!invocation.json) warnOfFiles(found, invocation, io)
    const written = {
      text: () => `${asText(found, invocation, io)}\n`,
      json: () => `${asJson(found)}\n`,
      markdown: () => markdownReport(found.reports),
      junit: () => junitReport(found.reports),
    } satisfies Record<DoctorInvocation["form"], () => string>
    io.stdout.write(written[invocation.form]())
    return exitCodeFor(found)
  } finally {
    clear()
  }
}
