import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { ATTACKS } from './attacks.ts';
import { hostileMail } from './compose.ts';
import { brokenPromise } from './promises.ts';
import { scoreOf } from './score.ts';

describe('generated hostile mail', () => {
  test('is the same for the same number', () => {
    expect(hostileMail(7).email.equals(hostileMail(7).email)).toBe(true);
    expect(hostileMail(7).email.equals(hostileMail(8).email)).toBe(false);
  });

  test('yields its payload as a leaf', async () => {
    const { found, missed } = await scoreOf(10_000, 300);
    expect(missed.map(({ number, tricks }) => `${number}: ${tricks.join(' | ')}`)).toEqual([]);
    expect(found).toBe(300);
  });
});

const FINDS = new URL('./finds/', import.meta.url);
const finds = readdirSync(FINDS).filter((name) => name.endsWith('.eml'));

test('keeps every promise of the reader, also for what a fuzz run has found', async () => {
  expect(finds.length).toBeGreaterThan(0);
  const mails = [
    ...finds.map((name) => ({ name, email: readFileSync(new URL(name, FINDS)) })),
    ...Array.from({ length: 60 }, (_, number) => ({ name: `mail ${number}`, email: hostileMail(number).email })),
  ];
  for (const { name, email } of mails)
    expect({ name, broken: (await brokenPromise(email)).broken }).toEqual({ name, broken: null });
});

describe('a megabyte that costs careless readers minutes still ends with a reading that accounts for every byte:', () => {
  test.each(ATTACKS)('$name', async (attack) => {
    const email = attack.build(1024 * 1024);
    const { parts, account } = await readMessage(email, DEFAULT_LIMITS);
    expect(parts.length).toBeGreaterThan(0);
    expect(account.headers + account.bodies + account.boundariesAndOutside).toBe(email.length);
  });
});
