/** Copies packages into a bundle as they are: those with native code, WebAssembly or a licence that asks for it. */
import { cpSync, existsSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of packages in a bundle. */
export const PACKAGES = 'node_modules';

/** Nothing that runs: types, maps of sources, the sources themselves. */
const NOT_RUN = /(?:\.d\.[cm]?ts|\.map|\.md|[/\\]src|[/\\]install|\.mjs|\.browser\.js|\.esm\.js)$/;

/** Copies what runs of a package, and its licences. Throws when it is not installed. */
export function copyPackage(name: string, outDir: string): void {
  cpSync(folderOf(name), join(outDir, PACKAGES, name), {
    recursive: true,
    filter: (from) => /LICENSE/.test(parse(from).base) || !NOT_RUN.test(from),
  });
}

function folderOf(name: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, PACKAGES, name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === dirname(folder)) throw new Error(`the package ${name} is not installed: run npm ci`);
  }
}
