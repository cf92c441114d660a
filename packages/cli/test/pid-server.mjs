// Writes its process id to the file named first, then becomes the command named second.
import { writeFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const [file, main, ...args] = process.argv.slice(2)
writeFileSync(file, String(process.pid))
process.argv.splice(1, process.argv.length, main, ...args)
await import(pathToFileURL(main).href)
