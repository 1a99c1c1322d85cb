/** Where the code of each format is, read from the tables by which the program itself finds it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATIC_MODULES } from '../../lib/engines/static/modules.ts';
import { describeType, disarmOf, FILE_TYPES, type FileType, secondLookOf } from '../../lib/formats/file-types.ts';
import { URL_EXTRACTORS } from '../../lib/message/urls/sources/sources.ts';
import { sampleOf } from '../formats/format-samples.ts';
import { ROOT } from './docstrings.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What `import { a, b } from './c.ts'` of a file binds each name to, as paths below the folder of that file. */
const importsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/^import \{([^}]*)\} from '\.\/([^']+)';/gm)].flatMap(([, names = '', path = '']) =>
      names.split(',').map((name) => [name.replace(/^\s*type /, '').trim(), path] as const),
    ),
  );

/** The file of each module of disarm: `pdf: () => import('./pdf/pdf.ts')`. */
function disarmFiles(): ReadonlyMap<string, string> {
  const loads = read('lib/engines/disarm/disarm.ts').matchAll(/^ {2}'?([\w-]+)'?: \(\) => import\('\.\/([^']+)'\)/gm);
  return new Map([...loads].map(([, name = '', path = '']) => [name, path]));
}

/** The files that a reader of the second look calls, without the helpers that several readers share. */
function readerFiles(): ReadonlyMap<string, string> {
  const text = read('lib/engines/inspect/second-look.ts');
  const imports = importsOf(text);
  const [, table = ''] = text.split(/^export const SECOND_LOOKS.*$/m);
  const rows = table.matchAll(/^ {2}'?([\w-]+)'?(?:: (.*))?,$/gm);
  const bodyOf = (name: string) =>
    new RegExp(`^const ${name}: SecondLook = [\\s\\S]*?\\n\\n`, 'm').exec(text)?.[0] ?? '';
  return new Map(
    [...rows].map(([, name = '', value = name]) => {
      const body = value.startsWith('words(') ? value : bodyOf(value);
      const called = [...imports].filter(
        ([each, path]) => path !== 'picture-count.ts' && new RegExp(`\\b${each}\\(|\\(${each}\\b`).test(body),
      );
      return [name, [...new Set(called.map(([, path]) => `\`${path}\``))].join(', ')] as const;
    }),
  );
}

/** The file of each module of the static engine, by its place in the list. */
function staticFileOf(type: FileType): string {
  const text = read('lib/engines/static/modules.ts');
  const names = [...(text.split('STATIC_MODULES')[1] ?? '').matchAll(/^ {2}(\w+),$/gm)].map(([, name = '']) => name);
  const at = STATIC_MODULES.findIndex(({ accepts }) => accepts(type));
  return importsOf(text).get(names[at] ?? '') ?? '';
}

/** The searches for links that read a harmless file of this type, by their place in the list. */
async function linkFilesOf(type: FileType): Promise<string[]> {
  const text = read('lib/message/urls/sources/sources.ts');
  const names = [...(text.split('URL_EXTRACTORS:')[1] ?? '').matchAll(/^ {2}(\w+),$/gm)].map(([, name = '']) => name);
  const { extension } = describeType(type);
  const bytes = (await sampleOf(type))?.bytes ?? new Uint8Array();
  const source = { detectedType: type, declaredType: type, extensions: [extension], charset: null, base: null, bytes };
  const accepting = URL_EXTRACTORS.flatMap((each, at) =>
    each.accepts({ ...source, isDelSp: false, isData: false }) ? [names[at] ?? ''] : [],
  );
  return accepting.map((name) => importsOf(text).get(name) ?? '');
}

/** The page docs/format-places.md. */
export async function placesPage(): Promise<string> {
  const disarms = disarmFiles();
  const readers = readerFiles();
  const rowOf = async ([name, path]: readonly [string, string]) => {
    const types = FILE_TYPES.filter((type) => disarmOf(type) === name);
    const unique = (texts: readonly string[]) => [...new Set(texts.filter((text) => text !== ''))];
    const extensions = unique(types.map((type) => describeType(type).extension)).join(' ');
    const looks = unique(types.map((type) => readers.get(secondLookOf(type)?.reader ?? '') ?? '')).join(', ');
    const modules = unique(types.map(staticFileOf)).map((file) => `\`${file}\``);
    const links = unique((await Promise.all(types.map(linkFilesOf))).flat()).map((file) => `\`${file}\``);
    return `| \`${name}\` | ${extensions} | \`${path}\` | ${looks || 'none'} | ${modules.join(', ') || 'none'} | ${links.join(', ') || 'none'} |`;
  };
  const rows = await Promise.all([...disarms].map(rowOf));
  return `${[...INTRODUCTION, ...rows].join('\n')}\n`;
}

const INTRODUCTION = [
  '# Where each format is',
  '',
  'A row for each module of disarm, with the files of its types. `lib/formats/type-table.ts` has all types. The columns are below `lib/engines/disarm`,',
  '`lib/engines/inspect`, `lib/engines/static` and `lib/message/urls/sources`. Readers that several rooms share are in `lib/formats`.',
  'Archives and mails have no search for links of their own: their files and parts are searched one by one.',
  '',
  '**Disarm and inspect share nothing, on purpose.** The disarm writes the file, and inspect looks whether it did so well. A mistake in a reader that both',
  'use would hide itself: what the one does not see to remove, the other does not see to report. So each format is read twice, by code that',
  'was written twice.',
  '',
  'The test of this page writes it: `npx vitest run test/documents/format-places.test.ts -u`.',
  '',
  '| module | types | disarm | inspect | static | links |',
  '|---|---|---|---|---|---|',
];
