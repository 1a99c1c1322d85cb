/**
 * Builds a Lambda in two passes. The first joins the sources. The second removes unused code that one pass cannot recognise. The AWS SDK
 * describes each operation in a list whose keys are variables. esbuild keeps every such list, because computing a key could have an effect.
 * Between the passes each of those keys is replaced by its text.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, buildSync, transformSync } from 'esbuild';

const OWN_URL = '__bundleUrl';

export interface Passes {
  readonly entry: string;
  /** The name of the entry's file in the folder. */
  readonly name: string;
  /**
   * Whether modules that are loaded later get their own files beside the first. Without this they are in the same file. Their common code
   * is then wrapped in functions, which costs time at the start. @default one file
   */
  readonly isSplit?: boolean;
  readonly alias: Readonly<Record<string, string>>;
  readonly define?: Readonly<Record<string, string>>;
  readonly external?: readonly string[];
  /**
   * Entries with the same other options that are built next. Most of their sources are the same, and are then read once. Not for entries
   * that are split. @default none
   */
  readonly siblings?: readonly string[];
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
  mkdirSync(outDir, { recursive: true });
  for (const [file, text] of joined(passes, common)) {
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
    writeFileSync(join(outDir, file), code);
  }
}

/** The files of a first pass. */
type Joined = readonly (readonly [name: string, text: string])[];

/** Texts that were made with another entry, and that nobody has asked for yet. */
const waiting = new Map<string, string>();

function joined(passes: Passes, common: BuildOptions): Joined {
  const { entry, name, siblings = [], define } = passes;
  const keyOf = (each: string) => JSON.stringify([each, define]);
  const text = waiting.get(keyOf(entry));
  waiting.delete(keyOf(entry));
  if (text !== undefined) return [[name, text]];
  const own = basename(name, '.cjs');
  const places = siblings.filter((each) => each !== entry).map((each, index) => ({ in: each, out: `${own}-${index}` }));
  const files = outputOf([{ in: entry, out: own }, ...places], passes, common);
  for (const place of places) waiting.set(keyOf(place.in), files.get(`${place.out}.cjs`) ?? '');
  return [...files].filter(([file]) => !places.some(({ out }) => file === `${out}.cjs`));
}

type Places = { in: string; out: string }[];

function outputOf(entryPoints: Places, passes: Passes, common: BuildOptions): ReadonlyMap<string, string> {
  const { isSplit = false, alias, define, external = [] } = passes;
  const { outputFiles } = buildSync({
    ...common,
    entryPoints,
    outdir: 'joined',
    outExtension: { '.js': '.cjs' },
    chunkNames: '[name]-[hash]',
    write: false,
    minify: false,
    // Function names would contain paths of files, which differ from machine to machine.
    minifyIdentifiers: true,
    format: 'esm',
    splitting: isSplit,
    alias: { ...alias },
    external: [...external],
    define: { ...define, 'import.meta.url': OWN_URL },
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}

/** A list in a variable of the whole file. Every name in it is such a variable, too. */
const LIST = /^var [\w$]+ = \[(?:.*\];$|[\s\S]*?^\];$)/gm;
const TEXT = /^var ([\w$]+) = ("[^"\\]*");$/gm;
const KEY = /\[([\w$]+)\]:/g;

function withPlainKeys(code: string): string {
  const texts = new Map([...code.matchAll(TEXT)].map(([, name = '', text = '']) => [name, text]));
  const plain = (key: string, name: string) => (texts.has(name) ? `${texts.get(name)}:` : key);
  return code.replace(LIST, (list) => list.replace(KEY, plain));
}
