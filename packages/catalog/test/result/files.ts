/** The smallest files that are what they say. */
export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
export const gif = "R0lGODlhAQABAAAAACwAAAAAAQABAAA="
export const jpeg = "/9j/4AAQSkZJRgABAQEASABIAAD/2Q=="
export const webp = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="

const base64 = (text: string): string => Buffer.from(text).toString("base64")

export const pdf = base64("%PDF-1.4\n%%EOF\n")
export const text = base64("Grüße")
export const svg = base64('<svg xmlns="http://www.w3.org/2000/svg"/>')
export const bytes = Buffer.from([0xff, 0xfe, 0x00]).toString("base64")
