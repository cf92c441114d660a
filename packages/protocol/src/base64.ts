/**
 * Whether a text is Base64 that a decoder can make something of: padding may be missing, and lines may be
 * broken, as browsers allow. It goes over the text once and decodes nothing.
 *
 * @example
 * isBase64("aGk=") // true
 * isBase64("a-b_") // false: the alphabet of URLs is another one
 */
export const isBase64 = (text: string): boolean => {
  const foreign = /[^A-Za-z\d+/=]/
  let compact = text
  if (foreign.test(text)) {
    compact = text.replaceAll(/[\t\n\f\r ]+/g, "")
    if (foreign.test(compact)) return false
  }
  const padded = compact.indexOf("=")
  const digits = padded === -1 ? compact.length : padded
  const padding = compact.length - digits
  if (digits % 4 === 1 || padding > 2) return false
  return padding === 0 || (compact.length % 4 === 0 && !/[^=]/.test(compact.slice(digits)))
}
