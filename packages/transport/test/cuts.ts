/** Bytes in two pieces, once for every place between them; both ends give an empty piece. */
export function* everySplit(bytes: Uint8Array): Generator<ReadonlyArray<Uint8Array>> {
  for (let at = 0; at <= bytes.length; at++) yield [bytes.slice(0, at), bytes.slice(at)]
}

/** Bytes one at a time. */
export const singly = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from(bytes, (byte) => Uint8Array.of(byte))

/** Bytes cut at places that are given as any numbers, in any order. */
export const cutAt = (
  bytes: Uint8Array,
  numbers: ReadonlyArray<number>,
): ReadonlyArray<Uint8Array> => {
  const places = [
    ...numbers.map((number) => number % (bytes.length + 1)),
    0,
    bytes.length,
  ].toSorted((one, other) => one - other)
  return places.slice(1).map((end, index) => bytes.slice(places[index], end))
}
