import { existsSync } from 'node:fs';
import { extname } from 'node:path';

/**
 * Returns the first file of a thread. In a bundle it is `bundled`, which is beside the bundle. Otherwise it is `worker` beside the module
 * `from`, with the same ending: TypeScript in a checkout, JavaScript in an installed package.
 */
export function ownWorker(from: string, bundled: string): URL {
  const file = new URL(bundled, from);
  return existsSync(file) ? file : new URL(`./worker${extname(from)}`, from);
}
