import { createSign, generateKeyPairSync } from "node:crypto"

/** One DER value: its tag, its length, its content. */
const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: ReadonlyArray<Uint8Array>): Buffer => der(0x30, ...parts)
const oid = (...bytes: ReadonlyArray<number>): Buffer => der(0x06, Buffer.from(bytes))
const text = (tag: number, value: string): Buffer => der(tag, Buffer.from(value, "latin1"))

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const commonName = oid(0x55, 0x04, 0x03)
const alternativeNames = oid(0x55, 0x1d, 0x11)

const pem = (label: string, bytes: Buffer): string => {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n")
}

const utcTime = (at: Date): Buffer =>
  text(0x17, `${at.toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`)

/** A certificate for this machine, made anew for each run, and its key; both in PEM. */
export const selfSigned = (host = "localhost"): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = sequence(der(0x31, sequence(commonName, text(0x0c, host))))
  const day = 86_400_000
  const names = sequence(text(0x82, host), der(0x87, Buffer.from([127, 0, 0, 1])))
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(utcTime(new Date(Date.now() - day)), utcTime(new Date(Date.now() + day))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(alternativeNames, der(0x04, names)))),
  )
  const signature = createSign("sha256").update(certificate).sign(privateKey)
  const signed = sequence(
    certificate,
    ecdsaWithSha256,
    der(0x03, Buffer.concat([Buffer.from([0]), signature])),
  )
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem("CERTIFICATE", signed),
  }
}
