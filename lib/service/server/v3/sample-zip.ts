/** The sample in a ZIP with the password that everybody uses for malware, so that no scanner on the way opens it by itself. */
import { ZipWriter } from '@zip.js/zip.js';
import type { BlobContent } from '../store/blobs.ts';

/** What analysts and their tools expect; it hides nothing. */
export const SAMPLE_PASSWORD = 'infected';
/** Samples are often compressed already: the least effort is enough. */
const LEVEL = 1;

/** Streams a ZIP with one entry, encrypted. `entryName` is a name of ours. ZipCrypto, because AES is beyond many tools. */
export function sampleZip(entryName: string, sample: BlobContent): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const zip = new ZipWriter(writable, {
    password: SAMPLE_PASSWORD,
    zipCrypto: true,
    level: LEVEL,
    useWebWorkers: false,
    // The time of the download says nothing about the sample.
    lastModDate: new Date(Date.UTC(2000, 0, 1)),
  });
  const written = zip.add(entryName, sample.stream()).then(() => zip.close());
  // A reader that goes away, or a disk that fails, ends the stream; there is nobody else to tell.
  written.catch((error: unknown) => writable.abort(error).catch(() => undefined));
  return readable;
}
