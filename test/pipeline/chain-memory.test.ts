/** A process knows again what it has checked, and takes nothing for it that differs in one byte. */
import { expect, test } from 'vitest';
import { type Chain, rememberChain, rememberedChain } from '../../lib/pipeline/chain/chain-memory.ts';

let runs = 0;
/** A chain of lines as they are stored: the signature is at the end of each. Nothing of its entries is looked at. */
function chainOf(lines: readonly string[]): Chain {
  runs += 1;
  const signed = lines.map((line) => ({ line }));
  return { runId: `run-${runs}`, attempt: 1, lines: signed, entries: [], ledger: {} } as unknown as Chain;
}
const LINES = ['{"stage":"parse"} sig-1', '{"stage":"submit"} sig-2', `{"stage":"decide"} ${'s'.repeat(120)}`];
const [FIRST = '', SECOND = '', LAST = ''] = LINES;
const known = (chain: Chain, lines: readonly string[]) => rememberedChain(chain, lines);

test('the same lines are known, and so are they in front of one more', () => {
  const chain = chainOf(LINES);
  expect(known(chain, LINES)).toBeNull();
  rememberChain(chain);
  expect(known(chain, LINES)).toBe(chain);
  expect(known(chain, [...LINES, 'one more'])).toBe(chain);
});

test.each<[string, readonly string[]]>([
  ['with another first line in front of the same signature', ['{"stage":"parse","x":1} sig-1', SECOND, LAST]],
  ['with a last line that only ends alike', [FIRST, SECOND, `{"stage":"deliver"} ${'s'.repeat(120)}`]],
  ['without its first line', LINES.slice(1)],
  ['with one more line at its beginning', ['{}', ...LINES]],
  ['with two more lines', [...LINES, 'one', 'two']],
  ['without its last line', LINES.slice(0, 2)],
  ['of no lines', []],
])('a chain %s is not known', (_, lines) => {
  const chain = chainOf(LINES);
  rememberChain(chain);
  expect(known(chain, lines)).toBeNull();
});

test('the chain of another run or attempt is not known by the same lines', () => {
  const chain = chainOf(LINES);
  rememberChain(chain);
  expect(rememberedChain({ runId: 'another', attempt: 1 }, LINES)).toBeNull();
  expect(rememberedChain({ runId: chain.runId, attempt: 2 }, LINES)).toBeNull();
});

test.each([
  ['of 128 KB', 0, true],
  ['that is longer', 1, false],
])('a chain %s', (_, more, isKnown) => {
  const lines = ['x'.repeat(64 * 1024), 'y'.repeat(64 * 1024 + more)];
  const chain = chainOf(lines);
  rememberChain(chain);
  expect(known(chain, lines) === chain).toBe(isKnown);
});

test('a process remembers sixty chains, and the oldest goes', () => {
  const many = Array.from({ length: 61 }, () => chainOf(LINES));
  for (const chain of many) rememberChain(chain);
  expect(many.map((chain) => known(chain, LINES) === chain)).toEqual([false, ...Array(60).fill(true)]);
});
