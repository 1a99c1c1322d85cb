import { describe, expect, test } from 'vitest';
import type { Nested } from '../../../lib/engines/disarm/disarm-module.ts';
import { type DisarmChecked, MAX_NESTED_CONTAINERS, openNested } from '../../../lib/engines/disarm/nested.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError, type FileInput } from '../../../lib/engines/engine.ts';
import { describeType } from '../../../lib/formats/file-types.ts';

const input: FileInput = { bytes: Buffer.from('x'), untrustedName: 'a.txt', password: null };
const safe: DisarmChecked = async ({ bytes }) => ({
  outcome: 'already_safe',
  bytes,
  type: describeType('text/plain'),
  details: [],
});
const limits = { ...DEFAULT_ENGINE_LIMITS, entries: 5, inflatedBytes: 100, timeoutMs: 1_000 };

describe('one budget for all levels', () => {
  test('entries of members count with those of the file', async () => {
    const inner: DisarmChecked = async (file, left, nested) => {
      nested.spend(2, 0);
      return safe(file, left, nested);
    };
    const nested = openNested(inner, limits);
    expect(await nested.disarm(input)).toMatchObject({ outcome: 'already_safe' });
    await expect(nested.disarm(input)).rejects.toMatchObject({ code: 'oversize' });
  });

  test('members get the bytes that are left', async () => {
    const seen: number[] = [];
    const nested = openNested(async (file, left, inner) => {
      seen.push(left.inflatedBytes);
      return safe(file, left, inner);
    }, limits);
    nested.spend(0, 60);
    await nested.disarm(input);
    expect(seen).toEqual([40]);
    expect(() => nested.afford(0, 40)).not.toThrow();
    expect(() => nested.afford(0, 41)).toThrow(EngineError);
    expect(() => nested.spend(0, 41)).toThrow('in all');
  });

  test('all levels share one time limit', async () => {
    let now = 0;
    const nested = openNested(safe, limits, () => now);
    await nested.disarm(input);
    now = 1_001;
    await expect(nested.disarm(input)).rejects.toMatchObject({ code: 'timeout' });
  });

  test('too great a depth refuses the whole upload', async () => {
    let depth = 0;
    const endless: DisarmChecked = async (file, _left, nested) => {
      depth += 1;
      const result = await nested.disarm(file);
      if (result.outcome === 'refused') throw new EngineError(result.failure.code, result.failure.message);
      return result;
    };
    await expect(openNested(endless, DEFAULT_ENGINE_LIMITS).disarm(input)).rejects.toMatchObject({ code: 'oversize' });
    expect(depth).toBe(MAX_NESTED_CONTAINERS);
  });
});

test('a refused member, or one that breaks its module, does not refuse the container', async () => {
  const failing = (error: Error) => openNested(async () => Promise.reject(error), limits).disarm(input);
  expect(await failing(new EngineError('encrypted', 'locked'))).toEqual({
    outcome: 'refused',
    failure: { code: 'encrypted', message: 'locked' },
  });
  expect(await failing(new TypeError('quotes the file'))).toMatchObject({
    outcome: 'refused',
    failure: { code: 'engine_failed', message: expect.not.stringContaining('quotes') },
  });
});

test('a second look keeps results as they are, and nothing else', async () => {
  const calls: string[] = [];
  const disarm: DisarmChecked = async (file, left, nested: Nested) => {
    calls.push(Buffer.from(file.bytes).toString());
    return { ...(await safe(file, left, nested)), bytes: Buffer.from('result') };
  };
  const nested = openNested(disarm, limits);
  await nested.disarm(input);
  const again = nested.secondLook();
  await again.disarm({ ...input, bytes: Buffer.from('result') });
  await again.disarm({ ...input, bytes: Buffer.from('other') });
  await nested.disarm({ ...input, bytes: Buffer.from('result') });
  expect(calls).toEqual(['x', 'other', 'result']);
});
