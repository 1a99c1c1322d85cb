/** Finds runs of printable ASCII in a file, as the `strings` program does. */
import type { BlobContent } from '../store/blobs.ts';

/** Shorter runs occur by chance. */
const MIN_LENGTH = 6;
/** The most characters of one text. A file can be one text of megabytes. */
const MAX_LENGTH = 1_000;
/** The most texts of one file. A file can consist of short texts. */
const MAX_STRINGS = 10_000;
/** The most bytes of a file that are read. */
const MAX_BYTES = 16 * 1024 * 1024;
const RUN = new RegExp(`[\\x20-\\x7e]{${MIN_LENGTH},}`, 'g');

/** Returns the texts in their order, each cut to 1,000 characters. */
export async function printableStrings({ stream }: BlobContent): Promise<string[]> {
  const found: string[] = [];
  let held = '';
  let bytes = 0;
  for await (const piece of stream()) {
    bytes += piece.byteLength;
    const text = held + Buffer.from(piece).toString('latin1');
    // A run at the end of a piece may continue in the next one. Characters beyond the limit are cut anyway.
    held = /[\x20-\x7e]*$/.exec(text.slice(-MAX_LENGTH))?.[0] ?? '';
    collect(found, text.slice(0, text.length - held.length));
    if (bytes >= MAX_BYTES || found.length >= MAX_STRINGS) return found.slice(0, MAX_STRINGS);
  }
  collect(found, held);
  return found.slice(0, MAX_STRINGS);
}

function collect(found: string[], text: string): void {
  for (const [run] of text.matchAll(RUN)) {
    if (found.length >= MAX_STRINGS) return;
    found.push(run.slice(0, MAX_LENGTH));
  }
}
