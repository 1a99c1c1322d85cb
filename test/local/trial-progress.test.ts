/** The bar while a policy is tried. */
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { withProgress } from '../../lib/local/trial/progress.ts';
import { quietConsole } from './console.ts';

function consoleOn(isTTY: boolean) {
  const written: string[] = [];
  const stderr = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk));
      done();
    },
  });
  Object.assign(stderr, { isTTY, columns: 120, cursorTo: () => true, clearLine: () => true, moveCursor: () => true });
  return { written, console: { ...quietConsole(), stderr: stderr as never } };
}

async function* letters() {
  yield 'a';
  yield 'b';
}

test.each([true, false])('what is tried goes through as it comes, on a terminal: %s', async (isTTY) => {
  const { console, written } = consoleOn(isTTY);
  const found: string[] = [];
  for await (const letter of withProgress(console, letters(), 7)) found.push(letter);
  expect(found).toEqual(['a', 'b']);
  expect(written.join('').includes('of 7 mails')).toBe(isTTY);
});
