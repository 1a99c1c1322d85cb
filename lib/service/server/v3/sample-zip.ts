/** The sample in a ZIP with the password that everybody uses for malware, so that no scanner on the way opens it by itself. */
import { ZipWriter } from '@zip.js/zip.js';
import { setUpZipJs } from '../../../formats/archives/zip-js.ts';
import type { BlobContent } from '../store/blobs.ts';

/** What analysts and their tools expect; it hides nothing. */
export const SAMPLE_PASSWORD = 'infected';
/** Samples are often compressed already: the least effort is enough. */
const LEVEL = 1;

/**
 * Streams a ZIP with one entry, encrypted. `entryName` is a name of ours. The cipher is ZipCrypto, because many tools cannot open AES. The
 * sample is opened when the first byte is asked for, and closed when the reader goes away.
 */
export function sampleZip(entryName: string, sample: BlobContent): ReadableStream<Uint8Array> {
  return ReadableStream.from(piecesOfZip(entryName, sample));
}

async function* piecesOfZip(entryName: string, sample: BlobContent): AsyncGenerator<Uint8Array> {
  setUpZipJs();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const zip = new ZipWriter(writable, {
    password: SAMPLE_PASSWORD,
    zipCrypto: true,
    level: LEVEL,
    // The time of the download says nothing about the sample.
    lastModDate: new Date(Date.UTC(2000, 0, 1)),
  });
  const written = zip.add(entryName, sample.stream()).then(() => zip.close());
  // A disk that fails ends the stream. After a reader that went away there is nobody left to tell.
  written.catch((error: unknown) => writable.abort(error).catch(() => undefined));
  yield* readable;
}
