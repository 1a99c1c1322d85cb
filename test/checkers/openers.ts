/**
 * `npm run check:openers`: programs that share nothing with this project open what the disarm engine made, and the words are those of
 * the original: LibreOffice for Office files, poppler and qpdf for PDF, Chromium for pages, Python for the rest. Exit codes: 0 all
 * opened, or skipped because the programs are not there (it says so); 1 something did not open, or lost its text.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { disarmFile } from '../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { disarmSample } from '../hostile/disarm/check-sample.ts';
import { MUST_BE_GONE } from '../hostile/disarm/must-be-gone.ts';
import type { Format } from '../hostile/disarm/row.ts';
import { KEEP } from '../hostile/disarm/sample.ts';
import { FORMATS, samplesOf } from '../hostile/disarm/samples.ts';
import { inFolder, type NamedFile, wordsKept } from './office-opener.ts';
import { type OrdinaryFile, ordinaryFiles } from './ordinary.ts';
import { READERS, type Seen, seeFiles, whyUnread } from './readers.ts';
import { missingOf, runTool } from './tools.ts';

/** Formats whose hostile samples are whole documents: their one text must be read in the result. Of others the original is opened, too. */
const WHOLE: readonly Format[] = ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'vsdx', 'rtf', 'pdf', 'epub'];
/** Of each format, every so many rows: all of them would take LibreOffice an hour on two cores. */
const ROWS_PER_FORMAT = 8;
const TEXT_KEPT = 0.995;
/** Words that the program makes up itself when it opens a file: the file's own name, the time. */
const COMPUTED_WORDS = 2;
const CHECK_MS = 20_000;

type Problem = string;

/** A result, and what its text is compared with: the original's, or the one text that a hostile sample keeps. */
interface Opening {
  readonly file: NamedFile;
  readonly format: string;
  readonly original: NamedFile | null;
  readonly isHostile: boolean;
}

async function hostileOpenings(formats: readonly Format[]): Promise<Opening[]> {
  const openings: Opening[] = [];
  for (const format of formats) {
    const rows = MUST_BE_GONE.filter(
      (row) => row.formats.includes(format) && !/^(?:ooxml\/container|frame|legacy\/root)/.test(row.group),
    );
    const step = Math.max(1, Math.floor(rows.length / ROWS_PER_FORMAT));
    for (const row of rows.filter((_, index) => index % step === 0)) {
      const sample = (await samplesOf(row, format))[0];
      if (sample === undefined) continue;
      const { bytes, extension } = await disarmSample(sample);
      const name = `${row.id.replace(/[^\w]+/g, '-')}.${format}.${extension}`;
      const original = !WHOLE.includes(format) ? { name: `original-${name}`, bytes: sample.bytes } : null;
      if (bytes !== null) openings.push({ file: { name, bytes }, format, original, isHostile: true });
    }
  }
  return openings;
}

async function ordinaryOpenings(files: readonly OrdinaryFile[], problems: Problem[]): Promise<Opening[]> {
  const openings: Opening[] = [];
  for (const original of files) {
    const report = await disarmFile(
      { bytes: original.bytes, untrustedName: original.name, password: null },
      DEFAULT_ENGINE_LIMITS,
    );
    if (report.outcome === 'failed') problems.push(`${original.name}: refused: ${report.failure.message}`);
    else
      openings.push({
        file: { name: `disarmed-${original.name}.${report.type.extension}`, bytes: report.bytes },
        format: original.format,
        original,
        isHostile: false,
      });
  }
  return openings;
}

function problemOf({ file, original, isHostile }: Opening, seen: ReadonlyMap<string, Seen>): Problem | null {
  const text = seen.get(file.name)?.text;
  const before = original === null ? KEEP : seen.get(original.name)?.text;
  // What never opened cannot be asked to.
  if (before === undefined) return null;
  if (text === undefined) return `${file.name}: does not open`;
  if (isHostile) return text.includes(KEEP) || !before.includes(KEEP) ? null : `${file.name}: its text is lost`;
  const words = wordsKept(before, text);
  return words.kept + COMPUTED_WORDS < words.before * TEXT_KEPT
    ? `${file.name}: ${words.kept} of ${words.before} words are left`
    : null;
}

async function checkPdf({ file }: Opening): Promise<Problem | null> {
  return inFolder(async (folder) => {
    const path = join(folder, 'a.pdf');
    await writeFile(path, file.bytes);
    const { code, output } = await runTool('qpdf', ['--check', path], CHECK_MS);
    return code === 0 ? null : `${file.name}: qpdf --check: ${output.trim().split('\n').slice(0, 3).join('; ')}`;
  });
}

function report(openings: readonly Opening[], problems: readonly Problem[]): void {
  const formats = [...new Set(openings.map(({ format }) => format))];
  for (const format of formats) {
    const of = openings.filter((opening) => opening.format === format);
    const failed = problems.filter((problem) => of.some(({ file }) => problem.startsWith(`${file.name}:`)));
    process.stdout.write(
      `${format.padEnd(6)}${String(of.length).padStart(5)} opened by other programs, ${failed.length} problems\n`,
    );
  }
  for (const problem of problems) process.stdout.write(`  ${problem}\n`);
}

/** The formats that some program here opens; says of every program that is missing what is not opened for it. */
function formatsHere(): readonly Format[] {
  for (const { name, formats, missing } of READERS) {
    const skipped = FORMATS.filter((format) => formats.test(format)).join(', ');
    if (missing !== null) process.stdout.write(`SKIPPED: ${skipped} are not opened by ${name}: ${missing}\n`);
  }
  const noQpdf = missingOf(['qpdf']);
  if (noQpdf !== null) process.stdout.write(`SKIPPED: PDF files are not checked by qpdf: ${noQpdf}\n`);
  return FORMATS.filter((format) => whyUnread(format) === null);
}

async function main(): Promise<number> {
  const formats = formatsHere();
  if (formats.length === 0) return 0;
  const problems: Problem[] = [];
  const ordinary = (await ordinaryFiles(whyUnread('docx') === null)).filter(({ format }) =>
    formats.some((each) => each === format),
  );
  const openings = [...(await ordinaryOpenings(ordinary, problems)), ...(await hostileOpenings(formats))];
  process.stderr.write(`${openings.length} disarmed files and ${ordinary.length} ordinary originals are opened\n`);
  const originals = openings.flatMap(({ original, isHostile }) => (isHostile && original !== null ? [original] : []));
  const seen = await seeFiles([...openings.map(({ file }) => file), ...ordinary, ...originals], (text) =>
    process.stderr.write(`${text}\n`),
  );
  const hasQpdf = missingOf(['qpdf']) === null;
  for (const opening of openings) {
    const isPdf = hasQpdf && opening.file.name.endsWith('.pdf');
    const problem = problemOf(opening, seen) ?? (isPdf ? await checkPdf(opening) : null);
    if (problem !== null) problems.push(problem);
  }
  report(openings, problems);
  return problems.length === 0 ? 0 : 1;
}

process.exitCode = await main();
