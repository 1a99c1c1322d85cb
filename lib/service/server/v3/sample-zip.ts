/** Puts the sample in a ZIP with the usual password for malware, so that no scanner on the way opens it. */
import { ZipWriter } from '@zip.js/zip.js';
import { setUpZipJs } from '../../../formats/archives/zip-js.ts';
import type { BlobContent } from '../store/blobs.ts';

/** The password that analysts and their tools expect. It is not a secret. */
export const SAMPLE_PASSWORD = 'infected';
/** The lowest level of compression, because most samples are compressed already. */
const LEVEL = 1;

/**
 * Streams a ZIP with one encrypted entry. This service makes `entryName`. The cipher is ZipCrypto, because many tools cannot open AES. The
 * sample is opened for the first byte, and closed when the reader goes away.
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
    // The date is fixed, because the time of the download says nothing about the sample.
    lastModDate: new Date(Date.UTC(2000, 0, 1)),
  });
  const written = zip.add(entryName, sample.stream()).then(() => zip.close());
  // An error of the disk ends the stream. When the reader has gone away, there is nobody to tell about an error.
  written.catch((error: unknown) => writable.abort(error).catch(() => undefined));
  yield* readable;
}
