/** Opens one archive in this thread. Only worker threads call it. */
import type { Opened, UnpackRequest } from '../message/containers/container.ts';

/** Never rejects on content; libraries are loaded when their first archive comes. */
export async function unpackHere(request: UnpackRequest): Promise<Opened> {
  if (request.format === 'gzip') return (await import('./gzip.ts')).openGzip(request);
  if (request.format === 'zip') return (await import('./zip.ts')).openZip(request);
  return (await import('./seven-zip.ts')).openWithSevenZip(request);
}
