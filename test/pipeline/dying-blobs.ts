/** A store in a process that is killed. */
import type { Blobs } from '../../lib/pipeline/ports.ts';

/** A store whose process dies before the write of this number. Nothing works from then on. */
export function dyingAt(blobs: Blobs, write: number): { readonly blobs: Blobs; readonly writes: () => number } {
  let writes = 0;
  const alive = () => {
    if (writes >= write) throw new Error('killed');
  };
  const read =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      alive();
      return work(...args);
    };
  const written =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      writes += 1;
      alive();
      return work(...args);
    };
  const { put, get, has, copy } = blobs;
  return { blobs: { put: written(put), get: read(get), has: read(has), copy: written(copy) }, writes: () => writes };
}
