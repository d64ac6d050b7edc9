/** The bytes of a file to which some are added on a new line; null for a file that is not there. */
export function appended(current: Uint8Array | null, added: Uint8Array): Uint8Array {
  if (current === null || current.length === 0) return added;
  return Buffer.concat(current.at(-1) === 0x0a ? [current, added] : [current, Buffer.from('\n'), added]);
}
