/** Programs of others that open files: each format has one, which tells the text it sees and how many pages or pieces there are. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { convertFiles, inFolder, type NamedFile, pagesOfPdf, textOfPdf } from './office-opener.ts';
import { missingOf, runTool } from './tools.ts';

/** What a program saw in a file that it opened. */
export interface Seen {
  readonly text: string;
  /** Pages, sheets or slides as printed; members, parts, rows, events, cards or frames where nothing is printed. */
  readonly pages: number;
}

export interface Reader {
  readonly name: string;
  /** Extensions of the files it opens. */
  readonly formats: RegExp;
  /** What is not installed; null when all is there. */
  readonly missing: string | null;
  /** What it saw, by name; files that it could not open are left out. Names must differ. */
  read(files: readonly NamedFile[]): Promise<ReadonlyMap<string, Seen>>;
}

const PAGE_MS = 30_000;
const PYTHON_MS = 120_000;
/** Debian's own, for which its packages of modules are. */
const PYTHON = '/usr/bin/python3';
const PYTHON_MODULES = 'python3 python3-pil python3-icalendar python3-vobject';
const READ_FILES = fileURLToPath(new URL('read-files.py', import.meta.url));

async function seePdfs(pdfs: ReadonlyMap<string, Uint8Array>): Promise<ReadonlyMap<string, Seen>> {
  const seen = new Map<string, Seen>();
  for (const [name, bytes] of pdfs) {
    const [text, pages] = await Promise.all([textOfPdf(bytes), pagesOfPdf(bytes)]);
    if (text !== null && pages !== null) seen.set(name, { text, pages });
  }
  return seen;
}

/** Has a browser that reaches no host print pages. */
async function printPages(files: readonly NamedFile[]): Promise<ReadonlyMap<string, Uint8Array>> {
  return inFolder(async (folder) => {
    const printed = new Map<string, Uint8Array>();
    for (const [index, { name, bytes }] of files.entries()) {
      const path = join(folder, `${index}${extname(name)}`);
      await writeFile(path, bytes);
      const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND'];
      const output = [`--user-data-dir=${join(folder, 'profile')}`, '--no-pdf-header-footer'];
      await runTool('chromium', [...flags, ...output, `--print-to-pdf=${path}.pdf`, pathToFileURL(path).href], PAGE_MS);
      const pdf = await readFile(`${path}.pdf`).catch(() => null);
      if (pdf !== null) printed.set(name, new Uint8Array(pdf));
    }
    return printed;
  });
}

/** Has MuPDF lay books out in pages and say their words. */
async function drawBooks(files: readonly NamedFile[]): Promise<ReadonlyMap<string, Seen>> {
  return inFolder(async (folder) => {
    const seen = new Map<string, Seen>();
    for (const [index, { name, bytes }] of files.entries()) {
      const path = join(folder, `${index}${extname(name)}`);
      await writeFile(path, bytes);
      const { code } = await runTool('mutool', ['draw', '-F', 'txt', '-o', `${path}.txt`, path], PAGE_MS);
      const text = code === 0 ? await readFile(`${path}.txt`, 'utf8').catch(() => null) : null;
      if (text !== null) seen.set(name, { text, pages: text.split('\f').length });
    }
    return seen;
  });
}

async function readWithPython(files: readonly NamedFile[]): Promise<ReadonlyMap<string, Seen>> {
  return inFolder(async (folder) => {
    const seen = new Map<string, Seen>();
    await mkdir(join(folder, 'in'));
    const paths = files.map(({ name }, index) => join(folder, 'in', `${index}${extname(name)}`));
    for (const [index, path] of paths.entries()) await writeFile(path, files[index]?.bytes ?? Buffer.of());
    const { output } = await runTool(PYTHON, [READ_FILES, ...paths], PYTHON_MS);
    for (const line of output.split('\n').filter((each) => each.startsWith('{'))) {
      const { name, text, pieces } = JSON.parse(line) as { name: string; text: string; pieces: number };
      const file = files[Number(basename(name, extname(name)))];
      if (file !== undefined) seen.set(file.name, { text, pages: pieces });
    }
    return seen;
  });
}

function missingPython(): string | null {
  const has =
    existsSync(PYTHON) && spawnSync(PYTHON, ['-c', 'import PIL, icalendar, vobject'], { stdio: 'ignore' }).status === 0;
  return has
    ? null
    : `Python with Pillow, icalendar and vobject not found; on Debian: apt-get install ${PYTHON_MODULES}`;
}

export const READERS: readonly Reader[] = [
  {
    name: 'LibreOffice',
    formats: /^(?:(?:doc|dot|xls|xlt|ppt|pps|pot)x?|od[tsp]|ot[tsp]|vsdx|rtf|xlsb)$/,
    missing: missingOf(['soffice', 'pdftotext', 'pdfinfo']),
    read: async (files) => seePdfs(await convertFiles(files, 'pdf')),
  },
  {
    name: 'poppler',
    formats: /^pdf$/,
    missing: missingOf(['pdftotext', 'pdfinfo']),
    read: (files) => seePdfs(new Map(files.map(({ name, bytes }) => [name, bytes]))),
  },
  {
    name: 'Chromium',
    formats: /^(?:html?|xhtml|svg|mht)$/,
    missing: missingOf(['chromium', 'pdftotext', 'pdfinfo']),
    read: async (files) => seePdfs(await printPages(files)),
  },
  {
    name: 'MuPDF',
    formats: /^(?:epub|xps|oxps)$/,
    missing: missingOf(['mutool']),
    read: drawBooks,
  },
  {
    name: 'Python',
    formats: /^(?:txt|csv|xml|kml|kmz|eml|zip|tar|ics|vcf|png|jpe?g|gif|webp|tiff?|bmp)$/,
    missing: missingPython(),
    read: readWithPython,
  },
];

const formatOf = (name: string): string => extname(name).slice(1).toLowerCase();

/** What stands in the way of opening files of a format: null when they can be opened here. */
export function whyUnread(format: string): string | null {
  const reader = READERS.find(({ formats }) => formats.test(format));
  return reader === undefined ? 'no program here opens it' : reader.missing;
}

/** Opens files, each with the program for its extension. Those without a program, and those that do not open, are left out. */
export async function seeFiles(
  files: readonly NamedFile[],
  progress: (text: string) => void = () => undefined,
): Promise<ReadonlyMap<string, Seen>> {
  const seen = new Map<string, Seen>();
  for (const { name: program, formats, missing, read } of READERS) {
    const own = missing === null ? files.filter(({ name }) => formats.test(formatOf(name))) : [];
    if (own.length === 0) continue;
    progress(`${program} opens ${own.length} files`);
    for (const [name, each] of await read(own)) seen.set(name, each);
  }
  return seen;
}
