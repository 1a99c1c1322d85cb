/** So much of a header is shown, in bytes. */
const HEADER_BYTES = 16_000;

/** The bytes in front of the first empty line of a message, each as one character: nothing is decoded. */
export function headerText(original: Uint8Array): string {
  const text = Buffer.from(original.subarray(0, HEADER_BYTES)).toString('latin1');
  return text.split(/\r?\n\r?\n/, 1)[0] ?? '';
}
