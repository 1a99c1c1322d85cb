import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { analyseFile } from '../../../lib/engines/static/analyse-file.ts';
import { benignSet } from '../../benign/benign-set.ts';
import { ordinaryMacros } from '../../benign/office.ts';

/** The bench runs the whole set, which would take a minute here. */
const EVERY = 12;

async function levelOf(name: string, bytes: Uint8Array): Promise<string> {
  const report = await analyseFile({ bytes, untrustedName: name, password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') return report.failure.code;
  const ids = report.findings.filter(({ level }) => level !== 'benign').map(({ id }) => id);
  return [report.level, ...ids].join(' ');
}

describe('the benign set', () => {
  test('has more than 2,000 files of every kind', () => {
    const kinds = benignSet().map(({ kind }) => kind);
    expect(kinds.length).toBeGreaterThan(2_000);
    expect([...new Set(kinds)].sort()).toEqual(['archive', 'mail', 'office', 'package', 'page', 'pdf', 'text']);
  });

  test('is never called malicious, and one in a hundred is suspicious at most', async () => {
    const sample = benignSet().filter((_, index) => index % EVERY === 0);
    const found: string[] = [];
    for (const { name, bytes } of sample) {
      const level = await levelOf(name, bytes);
      if (!/^(?:benign|unknown)/.test(level)) found.push(`${name}: ${level}`);
    }
    expect(found.filter((line) => line.includes(': malicious'))).toEqual([]);
    expect(found.length).toBeLessThanOrEqual(sample.length / 100);
  });

  test.each(ordinaryMacros().map(({ name, bytes }) => [name, bytes] as const))(
    'the macro %s, which people write for themselves, is suspicious and no more',
    async (name, bytes) => {
      expect(await levelOf(name, bytes)).toMatch(/^suspicious office-macro$/);
    },
  );
});
