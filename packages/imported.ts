/** Finds the packages that compiled files import, to compare them with the dependencies of their package. */
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { filesOf } from './files.ts';

/** `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`. */
const IMPORT = /(?:^|[\s;}(])(?:from|import)\s*\(?\s*['"]([@a-z0-9][\w@/.:-]*)['"]/;
/** `require('x')` and `require.resolve('x')`, also of a `createRequire`. */
const REQUIRE = /\b(?:require|createRequire\(import\.meta\.url\))(?:\.resolve)?\(\s*['"]([@a-z0-9][\w@/.:-]*)['"]/;
const COMMENT = /^\s*(?:\/?\*|\/\/)/;

/**
 * Returns the names of the packages that the modules and declarations below a folder import. First files of threads (`.mjs`) are left out:
 * they import only what a checkout has.
 */
export function importedPackages(folder: string): string[] {
  const files = filesOf(folder).filter((path) => /\.(?:js|d\.ts)$/.test(path));
  const names = files.flatMap((path) => readFileSync(path, 'utf8').split('\n').flatMap(packagesIn));
  return [...new Set(names)].filter((name) => !builtinModules.includes(name)).sort();
}

function packagesIn(line: string): string[] {
  if (COMMENT.test(line)) return [];
  return [IMPORT, REQUIRE].flatMap((pattern) => {
    const specifier = pattern.exec(line)?.[1];
    return specifier === undefined || specifier.startsWith('node:') ? [] : [packageOf(specifier)];
  });
}

/** `@a/b/c` is in the package `@a/b`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
