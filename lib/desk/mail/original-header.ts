import { HEADER_BYTES } from '../../pipeline/review/preview-request.ts';

/** Returns the bytes in front of the first empty line of a message, each as one character: nothing is decoded. */
export function headerText(original: Uint8Array): string {
  const text = Buffer.from(original.subarray(0, HEADER_BYTES)).toString('latin1');
  return text.split(/\r?\n\r?\n/, 1)[0] ?? '';
}
