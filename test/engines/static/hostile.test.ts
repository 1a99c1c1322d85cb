import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { analyseFile } from '../../../lib/engines/static/analyse-file.ts';
import { roundsOf } from '../../hostile/share.ts';
import { HOSTILE_DOCUMENTS } from '../../hostile/static/documents.ts';
import { bytesOf } from '../../hostile/static/sample.ts';
import { HOSTILE_SCRIPTS } from '../../hostile/static/scripts.ts';

const FILES = [...HOSTILE_SCRIPTS, ...HOSTILE_DOCUMENTS];

describe('the hostile set', () => {
  test.each(FILES.map((file) => [file.technique, file] as const))('%s', async (_, file) => {
    const input = { bytes: bytesOf(file), untrustedName: file.name, password: null };
    const report = await analyseFile(input, DEFAULT_ENGINE_LIMITS);
    if (report.outcome === 'failed') throw new Error(report.failure.message);
    expect(report.findings.map(({ id }) => id)).toEqual(expect.arrayContaining([...file.finds]));
    expect(file.level === 'malicious' ? ['malicious'] : ['malicious', 'suspicious']).toContain(report.level);
  });
});

/** The bytes with changes. The same seed always makes the same changes. */
function mutated(bytes: Uint8Array, seed: number): Buffer {
  const copy = Buffer.from(bytes);
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
  const changes = 1 + (next() % 12);
  for (let change = 0; change < changes; change++) copy[next() % copy.length] = next() % 256;
  const cut = next() % 4;
  return cut === 0 ? copy.subarray(0, next() % copy.length) : copy;
}

describe('mutated samples', () => {
  test.each(HOSTILE_DOCUMENTS.map((file) => [file.technique, file] as const))(
    'of %s end in a report',
    async (_, file) => {
      for (let seed = 1; seed <= roundsOf(12); seed++) {
        const bytes = mutated(bytesOf(file), seed);
        const report = await analyseFile({ bytes, untrustedName: file.name, password: null }, DEFAULT_ENGINE_LIMITS);
        expect(['completed', 'failed']).toContain(report.outcome);
        if (report.outcome === 'failed') expect(report.failure.code).not.toBe('engine_failed');
      }
    },
  );
});
