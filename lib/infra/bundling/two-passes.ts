/**
 * Builds a Lambda in two passes. The first puts the sources together. The second leaves out what of it nobody uses, which one pass cannot
 * see: the AWS SDK describes each operation in a list whose keys are variables, and esbuild keeps every such list, as making a key could
 * do something. Between the passes each of those keys becomes the text that it is.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, buildSync, transformSync } from 'esbuild';

const OWN_URL = '__bundleUrl';

export interface Passes {
  readonly entry: string;
  /** The name of the file of the entry in the folder. */
  readonly name: string;
  /**
   * Modules that are loaded later stand in files of their own beside the first. Without this it is in the same file, and everything that it
   * has in common with the rest is wrapped in functions, which costs time at the start. @default one file
   */
  readonly isSplit?: boolean;
  readonly alias: Readonly<Record<string, string>>;
  readonly define?: Readonly<Record<string, string>>;
  readonly external?: readonly string[];
}

/**
 * Writes a CommonJS bundle of an entry into a folder, minified as `common` says. Throws esbuild's BuildFailure.
 *
 * @example
 * ```ts
 * buildInTwoPasses({ entry: 'lambdas/decide.ts', name: 'index.cjs', alias: {} }, 'dist/decide', { target: 'node24' });
 * ```
 */
export function buildInTwoPasses(passes: Passes, outDir: string, common: BuildOptions): void {
  const { entry, name, isSplit = false, alias, define, external = [] } = passes;
  const { outputFiles } = buildSync({
    ...common,
    entryPoints: [{ in: entry, out: basename(name, '.cjs') }],
    outdir: outDir,
    outExtension: { '.js': '.cjs' },
    chunkNames: '[name]-[hash]',
    write: false,
    minify: false,
    // Names of functions would say where a file was, which differs from machine to machine.
    minifyIdentifiers: true,
    format: 'esm',
    splitting: isSplit,
    alias: { ...alias },
    external: [...external],
    define: { ...define, 'import.meta.url': OWN_URL },
  });
  mkdirSync(outDir, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { code } = transformSync(withPlainKeys(text), {
      format: 'cjs',
      platform: 'node',
      target: common.target ?? 'node24',
      minify: true,
      treeShaking: true,
      legalComments: 'none',
      // A bundle in CommonJS has no `import.meta.url`.
      banner: text.includes(OWN_URL) ? `const ${OWN_URL}=require('node:url').pathToFileURL(__filename).href;` : '',
    });
    writeFileSync(join(outDir, basename(path)), code);
  }
}

/** A list that is a variable of the whole file, so that every name in it is one, too. */
const LIST = /^var [\w$]+ = \[(?:.*\];$|[\s\S]*?^\];$)/gm;
const TEXT = /^var ([\w$]+) = ("[^"\\]*");$/gm;
const KEY = /\[([\w$]+)\]:/g;

function withPlainKeys(code: string): string {
  const texts = new Map([...code.matchAll(TEXT)].map(([, name = '', text = '']) => [name, text]));
  const plain = (key: string, name: string) => (texts.has(name) ? `${texts.get(name)}:` : key);
  return code.replace(LIST, (list) => list.replace(KEY, plain));
}
