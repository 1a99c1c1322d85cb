/** Small files that keep an engine busy, alone and many in one mail: each ends, a mail ends with its budget, and others go on. */
import { deflateSync } from 'node:zlib';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { createEnginePool, type EnginePool } from '../../../lib/engines/threads/pool.ts';
import { pdfStream, plainPdf } from '../../fixtures/pdf-file.ts';
import type { AttackClass, Attempt } from './attack-class.ts';

/** Milliseconds of processor time. A file of a few kilobytes has no right to more. */
const FILE_MS = 15_000;
/** Of fifty slow files, which take many times as much when nobody ends them. */
const MAIL_MS = 3_000;
/** What one task may take beyond the budget before it is ended, on each thread, and what threads that start anew cost. */
const SLACK_MS = 12_000;
const THREADS = 2;

interface Hostile {
  readonly id: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

function* strayDelimiters(): Generator<Hostile> {
  for (const stray of [')', '{', '}', ')(', '}{', '>>>>', '[[[[', '<<<<'])
    for (const place of ['/Rotate ?', '/Group << ? >>', '/Annots [? 1]', '?', '/Dur (a? ?']) {
      const page = `<< /Type /Page ${place.replaceAll('?', stray)} /Parent 2 0 R >>`;
      const bodies = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', page];
      yield { id: `pdf ${place} ${stray}`, name: 'a.pdf', bytes: plainPdf(bodies, { isCut: stray.length > 1 }) };
    }
}

function* endlessTables(): Generator<Hostile> {
  for (const extra of [
    '/W [0 0 0] /Size 99999999999',
    '/W [1 1 1] /Index [0 99999999999]',
    '/W [1 2 1] /Size 9 /DecodeParms << /Predictor 2 /Columns 0 >>',
    '/W [1 2 1] /Size 9 /DecodeParms << /Predictor 15 /Columns -1 >>',
  ]) {
    const rows = deflateSync(Buffer.alloc(4_096)).toString('latin1');
    const table = `9 0 obj\n${pdfStream(rows, `/Filter /FlateDecode /Type /XRef /Root 1 0 R ${extra} `)}\nendobj\n`;
    yield { id: `pdf table ${extra}`, name: 'a.pdf', bytes: latin1(`%PDF-1.7\n${table}startxref\n9\n%%EOF`) };
  }
}

function* rings(): Generator<Hostile> {
  const parents = ['3 0 R', '2 0 R', '1 0 R'];
  for (const parent of parents)
    yield {
      id: `pdf ring of parents ${parent}`,
      name: 'a.pdf',
      bytes: latin1(
        `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 /Parent ${parent}/Kids\nendobj\n3 0 obj\n<< /Type /Page /Parent ${parent} /Contents 5 0 R >>\nendobj\n`,
      ),
    };
}

function* deepText(): Generator<Hostile> {
  const many = 40_000;
  yield { id: 'rtf groups', name: 'a.rtf', bytes: latin1(`{\\rtf1 ${'{'.repeat(many)}x${'}'.repeat(many)}}`) };
  yield { id: 'rtf open groups', name: 'a.rtf', bytes: latin1(`{\\rtf1 ${'{\\b'.repeat(many)}`) };
  yield { id: 'html elements', name: 'a.html', bytes: latin1(`<html>${'<div>'.repeat(many)}x`) };
  yield { id: 'html formatting', name: 'a.html', bytes: latin1(`<html>${'<a><b><i><nobr>'.repeat(many / 10)}x`) };
  yield { id: 'xml elements', name: 'a.xml', bytes: latin1(`<?xml version="1.0"?>${'<a>'.repeat(many)}`) };
  yield { id: 'xml attributes', name: 'a.xml', bytes: latin1(`<?xml version="1.0"?><a ${'b="c" '.repeat(many)}/>`) };
  yield {
    id: 'svg groups',
    name: 'a.svg',
    bytes: latin1(`<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(many)}`),
  };
  yield { id: 'csv quotes', name: 'a.csv', bytes: latin1(`"${'"",'.repeat(many)}`) };
  yield { id: 'script brackets', name: 'a.js', bytes: latin1(`${'(['.repeat(many)}`) };
  yield { id: 'pdf arrays', name: 'a.pdf', bytes: latin1(`%PDF-1.7\n1 0 obj\n${'['.repeat(many)}`) };
}

const hostiles = (): Hostile[] => [...strayDelimiters(), ...endlessTables(), ...rings(), ...deepText()];

/** Work that the engines do honestly, and that takes them long: many objects, each of which names another one. All files differ. */
function slowPdfs(count: number): Uint8Array[] {
  const objects = Array.from({ length: 24_000 }, (_, index) => `[${index + 4} 0 R (${'x'.repeat(40)})]`);
  const head = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'];
  const first = Buffer.from(plainPdf([...head, '<< /Type /Page /Parent 2 0 R /Annots [4 0 R] >>', ...objects]));
  return Array.from({ length: count }, (_, index) => {
    const file = Buffer.from(first);
    file.write(`file ${index}`, first.indexOf('xxxx'));
    return file;
  });
}

const input = (bytes: Uint8Array, untrustedName: string) => ({ bytes, untrustedName, password: null });

async function fileAttempt(pool: EnginePool, { id, name, bytes }: Hostile): Promise<Attempt> {
  for (const engine of ['static', 'disarm'] as const) {
    const report = await pool.run({ engine, input: input(bytes, name) }, id);
    const code = report.outcome === 'failed' ? report.failure.code : null;
    if (code === 'timeout' || code === 'engine_failed') return { id, ended: code, won: `${engine} ended in ${code}` };
  }
  return { id, ended: 'ended', won: null };
}

/** Fifty files in one mail, and an ordinary mail behind them. Measured is the processor time of this whole process. */
async function mailAttempt(pool: EnginePool, mail: number, slow: readonly Uint8Array[]): Promise<Attempt> {
  const id = `mail of fifty slow files ${mail}`;
  const before = process.cpuUsage();
  const files = slow.map((bytes) => pool.run({ engine: 'disarm', input: input(bytes, 'a.pdf') }, id));
  const ordinary = await pool.run(
    { engine: 'static', input: input(latin1('an ordinary letter'), 'a.txt') },
    `innocent ${mail}`,
  );
  const ordinaryUsed = spentMs(before);
  const reports = await Promise.all(files);
  const used = spentMs(before);
  if (ordinary.outcome !== 'completed') return { id, ended: 'held', won: 'an ordinary body was not analysed' };
  if (ordinaryUsed > MAIL_MS + SLACK_MS)
    return { id, ended: 'late', won: `a mail waited for ${ordinaryUsed} ms of work` };
  const isEnded = reports.some((report) => report.outcome === 'failed' && report.failure.code === 'timeout');
  if (!isEnded) return { id, ended: 'unbounded', won: 'no file was ended: they are too easy to try the budget' };
  return { id, ended: 'bounded', won: used > MAIL_MS + SLACK_MS ? `the mail used ${used} ms` : null };
}

function spentMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

export const starvation: AttackClass = {
  name: 'starvation',
  title: 'a small file that keeps an engine busy, and fifty of them in one mail',
  async *attempts() {
    yield* withPool(2 * FILE_MS, async function* (pool) {
      for (const hostile of hostiles()) yield await fileAttempt(pool, hostile);
    });
    yield* withPool(MAIL_MS, async function* (pool) {
      const slow = slowPdfs(50);
      for (let mail = 0; mail < 2; mail++) yield await mailAttempt(pool, mail, slow);
    });
  },
};

/** The attempts on a pool in which all files of a group share this budget, in milliseconds of processor time. */
async function* withPool(
  groupTimeMs: number,
  attempts: (pool: EnginePool) => AsyncIterable<Attempt>,
): AsyncIterable<Attempt> {
  const limits = { ...DEFAULT_ENGINE_LIMITS, timeoutMs: FILE_MS, groupTimeMs };
  const pool = createEnginePool({ threads: THREADS, limits });
  try {
    await pool.warmUp();
    yield* attempts(pool);
  } finally {
    await pool.close();
  }
}
