/** The output of `airlock --version`: the versions of the package, of Node and of the engines. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENGINE_VERSIONS } from '../engines/engine-versions.ts';

/** Returns a line each for the package, Node and the engines. Known results belong to the version of their engine. */
export function versionText(): string {
  const engines = Object.entries(ENGINE_VERSIONS).map(([engine, version]) => `engine ${engine}: ${version}`);
  return [`mail-airlock ${packageVersion(import.meta.dirname)}`, `Node ${process.versions.node}`, ...engines].join(
    '\n',
  );
}

/** Returns the version in the nearest package.json above: of the repository, or of the installed package. */
function packageVersion(folder: string): string {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest)) return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
  if (folder === dirname(folder)) throw new Error('the package has no package.json; install it again');
  return packageVersion(dirname(folder));
}
