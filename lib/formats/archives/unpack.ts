/** Opens one archive in this thread. Only worker threads call it. */
import type { Unpacked, UnpackRequest } from './unpacking.ts';

/** Never rejects on content. A library is loaded when its first archive comes. */
export async function unpackHere(request: UnpackRequest): Promise<Unpacked> {
  if (request.format === 'gzip') return (await import('./gzip.ts')).openGzip(request);
  if (request.format === 'zip') return (await import('./zip.ts')).openZip(request);
  return (await import('./seven-zip.ts')).openWithSevenZip(request);
}
