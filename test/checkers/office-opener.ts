/** LibreOffice without a window: opens files and writes them again, many in one process. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runTool } from './tools.ts';

export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Files given to one process; a file that ends it costs the rest of its batch one more start. */
const BATCH = 40;
const START_MS = 20_000;
const PER_FILE_MS = 4_000;

/** Lends a folder of its own, and takes it away again. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'airlock-openers-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Converts files to another format (`pdf`, `docx`, `xls`); those it could not open are left out. Names must differ. */
export async function convertFiles(
  files: readonly NamedFile[],
  format: string,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const converted = new Map<string, Uint8Array>();
  await inFolder(async (folder) => {
    const numbered = files.map((file, index) => ({ file, path: join(folder, 'in', `${index}${extname(file.name)}`) }));
    await mkdir(join(folder, 'in'));
    for (const { file, path } of numbered) await writeFile(path, file.bytes);
    let waiting = numbered;
    // The second round takes what stood behind a file that ended the process, one file at a time.
    for (const size of [BATCH, 1]) {
      for (let at = 0; at < waiting.length; at += size) {
        await convertBatch(
          folder,
          waiting.slice(at, at + size).map(({ path }) => path),
          format,
        );
      }
      for (const { file, path } of waiting) {
        const result = await readFile(join(folder, 'out', `${basename(path, extname(path))}.${format}`)).catch(
          () => null,
        );
        if (result !== null) converted.set(file.name, new Uint8Array(result));
      }
      waiting = waiting.filter(({ file }) => !converted.has(file.name));
    }
  });
  return converted;
}

async function convertBatch(folder: string, paths: readonly string[], format: string): Promise<void> {
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
  const args = [
    profile,
    '--headless',
    '--norestore',
    '--convert-to',
    format,
    '--outdir',
    join(folder, 'out'),
    ...paths,
  ];
  await runTool('soffice', args, START_MS + paths.length * PER_FILE_MS);
}

/** The text of a PDF as poppler reads it; null when it cannot. */
export async function textOfPdf(bytes: Uint8Array): Promise<string | null> {
  return inFolder(async (folder) => {
    const path = join(folder, 'a.pdf');
    await writeFile(path, bytes);
    const { code, output } = await runTool('pdftotext', ['-q', path, '-'], PER_FILE_MS * 5);
    return code === 0 ? output : null;
  });
}

/** The number of pages of a PDF; null when poppler cannot read it. */
export async function pagesOfPdf(bytes: Uint8Array): Promise<number | null> {
  return inFolder(async (folder) => {
    const path = join(folder, 'a.pdf');
    await writeFile(path, bytes);
    const { output } = await runTool('pdfinfo', [path], PER_FILE_MS * 5);
    const pages = /^Pages:\s+(\d+)/m.exec(output)?.[1];
    return pages === undefined ? null : Number(pages);
  });
}

/** The share of the words of one text that another still holds, each as often as it stood there. */
export function wordsKept(before: string, after: string): { readonly before: number; readonly kept: number } {
  const left = new Map<string, number>();
  for (const word of wordsOf(after)) left.set(word, (left.get(word) ?? 0) + 1);
  const words = wordsOf(before);
  let kept = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    kept++;
  }
  return { before: words.length, kept };
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
