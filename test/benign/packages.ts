/** Scripts, pages and texts as popular packages ship them, out of this project's own dependencies. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BenignFile } from './file.ts';

const SHIPPED = /\.(?:js|mjs|cjs|html?|css|md|sh|cmd|bat|ps1|svg|py)$/;
/** Larger ones are bundles, of which a few stand for all. */
const MAX_BYTES = 512 * 1024;

/** At most `count` files, spread evenly over all packages in the order of their names. */
export function benignPackages(root: string, count: number): BenignFile[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    // What starts with a dot is no package, but what tools keep from run to run.
    .filter((path) => SHIPPED.test(path) && !path.startsWith('.'))
    .sort();
  const step = Math.max(1, Math.floor(paths.length / count));
  return paths
    .filter((_, index) => index % step === 0)
    .flatMap((path) => {
      const stat = statSync(join(root, path), { throwIfNoEntry: false });
      if (stat?.isFile() !== true || stat.size > MAX_BYTES) return [];
      return [{ kind: 'package', name: basename(path), bytes: readFileSync(join(root, path)) }];
    })
    .slice(0, count);
}
