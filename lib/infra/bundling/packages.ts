/**
 * Copies packages that find files in their own folder (WebAssembly, a worker) into a bundle, with their dependencies and licences. All of
 * them are JavaScript and WebAssembly, so a bundle is the same on every machine and runs on every architecture.
 */
import { cpSync, existsSync, lstatSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of packages in a bundle. */
export const PACKAGES = 'node_modules';

const HERE = dirname(fileURLToPath(import.meta.url));
const { resolve } = createRequire(import.meta.url);

/** Types, source maps, sources, and builds for browsers or with the WebAssembly inside as text. No code loads them. */
const UNUSED =
  /\.(?:d\.[cm]?ts|ts|map|md|markdown|flow|html)$|[/\\](?:src|docs?|examples?|tests?|install|__tests__|bench|full|writer|iife)[/\\]|\.(?:browser|cloudflare)\.|[/\\](?:libheif[/\\]libheif|libheif-wasm[/\\]libheif-bundle)\.m?js$/;
/** A dependency that the used part of a package does not need. */
const NOT_NEEDED: readonly string[] = ['readline-sync'];

/**
 * Copies the packages and everything that they depend on into `outDir/node_modules`. Throws Error when one is not installed.
 *
 * @example
 * ```ts
 * copyPackages(['sharp', '@img/sharp-wasm32'], 'dist/engine');
 * ```
 */
export function copyPackages(names: readonly string[], outDir: string): void {
  for (const [name, folder] of closureOf(names)) {
    const isUsed = (path: string) => {
      const inside = `${sep}${relative(folder, path)}`;
      if (lstatSync(path).isDirectory()) return !inside.includes(`${sep}${PACKAGES}`);
      return !UNUSED.test(inside);
    };
    cpSync(folder, join(outDir, PACKAGES, name), { recursive: true, filter: isUsed });
  }
}

/** Returns the folders of the packages and of all their dependencies. Each has one version, because two would need a tree. */
function closureOf(names: readonly string[]): Map<string, string> {
  const folders = new Map<string, string>();
  const add = (name: string, from: string) => {
    if (NOT_NEEDED.includes(name)) return;
    const folder = folderOf(name, from);
    const known = folders.get(name);
    if (known === folder) return;
    if (known !== undefined) throw new TypeError(`two versions of ${name} are needed: ${known} and ${folder}`);
    folders.set(name, folder);
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Dependencies;
    for (const needed of Object.keys(dependencies)) add(needed, folder);
  };
  for (const name of names) add(name, HERE);
  return folders;
}

interface Dependencies {
  readonly dependencies?: Readonly<Record<string, string>>;
}

function folderOf(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, PACKAGES, name);
    if (existsSync(join(found, 'package.json'))) return found;
    // A package that is linked from elsewhere is found in the same way as Node finds it.
    if (folder === dirname(folder)) return dirname(resolve(`${name}/package.json`));
  }
}
