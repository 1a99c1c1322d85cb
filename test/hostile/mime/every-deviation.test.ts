import { expect, test } from 'vitest';
import { shareOf } from '../share.ts';
import { caseOf, doubles, fateOf, PAIRS } from './grammar-score.ts';
import { PLACES } from './mail-tokens.ts';
import { DEVIATIONS } from './productions.ts';

const PLACE_NAMES = Object.keys(PLACES);
const PAIRS_TRIED = 2_000;

test('every deviation has a name of its own', () => {
  expect(new Set(DEVIATIONS.map(({ name }) => name)).size).toBe(DEVIATIONS.length);
});

test('the mail without a deviation yields its file in every place, and nothing holds it', async () => {
  for (const place of PLACE_NAMES) expect(await fateOf(caseOf(place))).toBe('artifact');
});

test('every deviation from the grammar yields the file, is held, or shows nothing to four parsers of others', async () => {
  const won: string[] = [];
  for (const [at, deviation] of [...shareOf(DEVIATIONS)].entries()) {
    const one = caseOf(PLACE_NAMES[at % PLACE_NAMES.length] ?? '', deviation);
    const fate = await fateOf(one);
    if (typeof fate !== 'string') won.push(`${one.id}: ${fate.won}`);
  }
  expect(won).toEqual([]);
});

test('and so does a sample of the pairs', async () => {
  const won: string[] = [];
  for (const one of shareOf(doubles(Math.floor(PAIRS / PAIRS_TRIED)))) {
    const fate = await fateOf(one);
    if (typeof fate !== 'string') won.push(`${one.id}: ${fate.won}`);
  }
  expect(won).toEqual([]);
});
