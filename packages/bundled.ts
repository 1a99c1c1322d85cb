/** The packages inside the bundles of the Lambdas. The sources of the Lambdas and of their threads import them, or they are copied. */
import { readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import copied from '../lib/infra/bundling/bundled-packages.json' with { type: 'json' };
import { ROOT } from './compile.ts';
import { packageOf } from './imported.ts';
import { PACKAGES } from './package-table.ts';

/** Returns names of packages. A package counts even if the bundle leaves out parts of it. */
export function bundledPackages(): string[] {
  const files = readdirSync(join(ROOT, 'lambdas')).filter((name) => name.endsWith('.ts'));
  const lambdas = files.map((name) => `lambdas/${name}`);
  const threads = PACKAGES.flatMap((row) => row.threads);
  const { metafile } = buildSync({
    entryPoints: [...lambdas, ...new Set(threads)].map((file) => join(ROOT, file)),
    outdir: join(ROOT, 'dist/bundled'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const names = imported.filter((path) => !path.startsWith('node:')).map(packageOf);
  return [...new Set([...names, ...Object.values(copied).flat()])]
    .filter((name) => !builtinModules.includes(name))
    .sort();
}
