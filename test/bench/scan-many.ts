/** What a folder of thousands of small mails costs `airlock scan`: time, memory, and room on the disk. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { emailWith } from '../pipeline/rig.ts';
import { withScratch } from './baselines.ts';
import { type Figure, type Measured, ms, type Part, type Progress, plain, quantity } from './figure.ts';
import { prose } from './mails.ts';
import { peakOf } from './peak-memory.ts';
import { STAGED_PROGRAM, stagePackage } from './staged-package.ts';

const MAILS = 3_000;
/** A start costs seconds, and is not what a mail costs: it is the time of a scan of so many mails. */
const FEW = 20;
const AT_MOST = { memoryMb: 300, disk: 3, perSecond: 60, processors: 2 } as const;
const PROBE = fileURLToPath(new URL('cost-at-exit.mjs', import.meta.url));
const run = promisify(execFile);

/** Letters of three kilobytes, each with words and a link of its own; every second one has a page, too. */
function smallMail(number: number): string {
  const link = `https://www.partner.example/${number}`;
  const html = `<html><body><p>${prose(1_200, number + 1)}</p><a href="${link}">more</a></body></html>`;
  const text = `${prose(1_500, number + 1)}\r\n\r\n${link}\r\n`;
  const mail = emailWith({ subject: `Note ${number}`, text, ...(number % 2 === 1 && { html }) });
  return mail.replace('Message-ID: <1@', `Message-ID: <${number + 1_000}@`);
}

interface Scanned {
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly seconds: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
}

async function scanned(folder: string, mails: number): Promise<Scanned> {
  const [input, out] = [join(folder, `mails-${mails}`), join(folder, `out-${mails}`)];
  await mkdir(input);
  for (let number = 0; number < mails; number += 1) await writeFile(join(input, `${number}.eml`), smallMail(number));
  const from = performance.now();
  const args = ['--import', PROBE, STAGED_PROGRAM, 'scan', '--quiet', '--out', out, input];
  // With a secret in its environment, the program would start a second process.
  const { stderr } = await run(process.execPath, args, { env: {} });
  const seconds = (performance.now() - from) / 1_000;
  const cost = JSON.parse(stderr) as { code: number; cpuMs: number; status: string | null; maxRss: number };
  const delivered = (await readdir(join(out, 'clean'))).filter((name) => /^[0-9a-f]{32}$/.test(name)).length;
  if (cost.code !== 0 || delivered !== mails) throw new Error(`${delivered} of ${mails} mails were delivered`);
  const peakMb = peakOf(cost.status, cost.maxRss);
  const [inputBytes, outputBytes] = [await bytesBelow(input), await bytesBelow(out)];
  return { cpuMs: cost.cpuMs, peakMb, seconds, inputBytes, outputBytes };
}

/** Of all files, as long as they are; the last block of each has more room. A file with two names counts once. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const found = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
  return [...new Map(found.map(({ ino, size }) => [ino, size])).values()].reduce((sum, size) => sum + size, 0);
}

function figuresOf(few: Scanned, many: Scanned): Figure[] {
  const cpuMs = (many.cpuMs - few.cpuMs) / (MAILS - FEW);
  const perSecond = MAILS / many.seconds;
  return [
    { name: 'most memory', measured: quantity(many.peakMb, 'MB'), atMost: AT_MOST.memoryMb, baselines: [] },
    plain(`most memory with ${FEW} mails`, quantity(few.peakMb, 'MB')),
    {
      name: 'files that are written, against the mails',
      measured: quantity(many.outputBytes / many.inputBytes, 'x'),
      atMost: AT_MOST.disk,
      baselines: [],
    },
    {
      name: 'processor time per mail, without the start',
      measured: ms(cpuMs),
      atMost: (1_000 * AT_MOST.processors) / AT_MOST.perSecond,
      baselines: [],
    },
    plain(`mails per second on ${availableParallelism()} processors, with the start`, quantity(perSecond, '/s')),
  ];
}

export const scanMany: Part = {
  name: 'scan-many',
  title: `airlock scan of ${MAILS.toLocaleString('en-US')} small mails that nobody has seen before`,
  measure: (progress: Progress): Promise<Measured> =>
    withScratch(async (folder) => {
      progress('package');
      stagePackage();
      progress(`${FEW} mails`);
      const few = await scanned(folder, FEW);
      progress(`${MAILS} mails`);
      const many = await scanned(folder, MAILS);
      return {
        figures: figuresOf(few, many),
        tables: [],
        notes: [
          `${(many.inputBytes / MAILS / 1_000).toFixed(1)} kB per mail; ${(many.outputBytes / MAILS / 1_000).toFixed(1)} kB are written for each. The engines run in the same process.`,
          'The program is the compiled package, as users have it.',
          'The target of the processor time is that of 60 mails a second on two processors.',
        ],
      };
    }),
};
