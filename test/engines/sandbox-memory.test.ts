/** The memory of an interpreter is used again by the next one, which finds nothing in it. */
import { expect, test } from 'vitest';
import { giveBack, takeMemory } from '../../lib/engines/script/interpreter-memory.ts';
import { runScript } from '../hostile/attack/sandbox-run.ts';

const bytesOf = ({ buffer }: ReturnType<typeof takeMemory>) => new Uint8Array(buffer);

test('memory that comes back is used again, and is empty', () => {
  const first = takeMemory();
  const at = [0, 65_536, bytesOf(first).length - 1];
  for (const place of at) bytesOf(first)[place] = 1;
  giveBack(first);
  const second = takeMemory();
  expect(second).toBe(first);
  expect(bytesOf(second).some((byte) => byte !== 0)).toBe(false);
  giveBack(second);
});

test('two interpreters at the same time never share memory', () => {
  const [first, second] = [takeMemory(), takeMemory()];
  expect(second).not.toBe(first);
  giveBack(first);
  expect(takeMemory()).toBe(first);
  expect(takeMemory()).not.toBe(second);
});

test('memory that a script has made grow is not used again', () => {
  const memory = takeMemory();
  const before = bytesOf(memory).length;
  memory.grow(1);
  giveBack(memory);
  const next = takeMemory();
  expect(next).not.toBe(memory);
  expect(bytesOf(next).length).toBe(before);
});

test.each([
  ['came to its end', `var kept = 'SECRET'.repeat(1000);`],
  ['threw', `var kept = 'SECRET'.repeat(1000); throw kept;`],
  [
    'was ended in the middle of a step',
    `var kept = 'SECRET'.repeat(1000); [].indexOf.call({ length: 9007199254740991 }, 1);`,
  ],
  ['filled the stack', `var kept = 'SECRET'.repeat(1000); (function again() { again(); })();`],
])('nothing is left of a script that %s', async (_, code) => {
  await runScript('a.js', code, 400);
  const memory = takeMemory();
  expect(bytesOf(memory).some((byte) => byte !== 0)).toBe(false);
  giveBack(memory);
});
