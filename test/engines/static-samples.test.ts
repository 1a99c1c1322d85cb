import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { analyseFile } from '../../lib/engines/static/analyse-file.ts';
import { type FileCase, fileCase, fileCases } from '../fixtures/cases.ts';

interface Row extends FileCase {
  /** The level, or `failed:` and the code. */
  readonly found: string;
  readonly findings: string;
}

/**
 * Samples that end otherwise than their kind does, each with what it ends as and why that is right or known to be missing.
 * None of them is benign but the last.
 */
const GAPS: Readonly<Record<string, string>> = {
  // Archives and mail are never benign: their members are judged as artifacts of their own.
  'benign.zip': 'unknown',
  'data-descriptor.zip': 'unknown',
  'winmail.dat': 'unknown',
  // Programs and scripts without a rule that matches: what they do is not known.
  'script.bat': 'unknown',
  'script.wsf': 'unknown',
  'tiny.exe': 'unknown',
  'tiny.elf': 'unknown',
  'app.jar': 'unknown',
  // Bombs end as a failure, before anything is unpacked.
  'pixel-bomb-60000.png': 'failed:oversize',
  'bomb-overlap.zip': 'failed:oversize',
  // Excel opens this one with a password of its own and asks nobody: what is behind it is judged.
  'encrypted-velvetsweatshop.xlsx': 'malicious',
  // A code with a link that has nothing wrong with it: a fact, and more than nothing.
  'qr-vector.pdf': 'unknown',
};

function expectedOf(sample: FileCase): readonly string[] {
  const gap = GAPS[sample.file];
  if (gap !== undefined) return [gap];
  if (sample.expect === 'clean') return ['benign'];
  return sample.expect === 'password' ? ['failed:encrypted'] : ['suspicious', 'malicious'];
}

async function analyse(sample: FileCase): Promise<Row> {
  const bytes = fileCase(sample.file);
  const report = await analyseFile({ bytes, untrustedName: sample.file, password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed')
    return { ...sample, found: `failed:${report.failure.code}`, findings: report.failure.message };
  return { ...sample, found: report.level, findings: report.findings.map(({ id }) => id).join(' ') };
}

describe('the samples', () => {
  const rows: Row[] = [];
  beforeAll(async () => {
    for (const sample of fileCases()) rows.push(await analyse(sample));
  });

  test('clean ones are benign, dangerous ones are not, locked ones say so', () => {
    const wrong = rows.filter((row) => !expectedOf(row).includes(row.found));
    expect(wrong.map(({ file, found }) => `${file}: ${found}`)).toEqual([]);
  });

  test('the list of gaps names samples that exist', () => {
    const files = new Set(rows.map(({ file }) => file));
    expect(Object.keys(GAPS).filter((file) => !files.has(file))).toEqual([]);
  });
});
