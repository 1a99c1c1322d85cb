import { expect, test } from 'vitest';
import { ConfigError, TransientError } from '../../lib/pipeline/errors.ts';
import { renewedAnalyzer } from '../../lib/service/analyzer-renewal.ts';
import { scriptedAnalyzer } from '../pipeline/rig.ts';

const REFUSED = new ConfigError('the analysis service', ['401']);

/** A secret store with one key, and a service that accepts one. */
function world() {
  const state = { key: 'old', accepted: 'old', reads: 0, now: 0 };
  const analyzer = renewedAnalyzer(
    async () => {
      state.reads += 1;
      const { key } = state;
      if (key === '') throw REFUSED;
      const scope = async () => (key === state.accepted ? `as ${key}` : Promise.reject(REFUSED));
      return { ...scriptedAnalyzer(), scope };
    },
    () => state.now,
  );
  return { state, analyzer };
}

test('reads the key once while the service accepts it', async () => {
  const { state, analyzer } = world();
  await analyzer.scope('static');
  state.now += 60_000;
  expect(await analyzer.scope('static')).toBe('as old');
  expect(state.reads).toBe(1);
});

test('a key that was changed is used at once', async () => {
  const { state, analyzer } = world();
  await analyzer.scope('static');
  state.now += 60_000;
  Object.assign(state, { key: 'new', accepted: 'new' });
  expect(await analyzer.scope('static')).toBe('as new');
  expect(state.reads).toBe(2);
});

test('a secret without a value is read again when it has one', async () => {
  const { state, analyzer } = world();
  state.key = '';
  await expect(analyzer.scope('static')).rejects.toThrow(ConfigError);
  state.now += 60_000;
  state.key = 'old';
  expect(await analyzer.scope('static')).toBe('as old');
});

test('a key that stays refused is read at most every ten seconds, whatever is asked', async () => {
  const { state, analyzer } = world();
  state.accepted = 'new';
  for (let second = 0; second < 60; second++) {
    await Promise.all(Array.from({ length: 8 }, () => expect(analyzer.scope('static')).rejects.toThrow(ConfigError)));
    state.now += 1_000;
  }
  expect(state.reads).toBe(6);
});

test('a secret store that was away for a moment is asked again at the next call', async () => {
  const answers = [new TransientError('busy'), scriptedAnalyzer()];
  const analyzer = renewedAnalyzer(async () => {
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  });
  await expect(analyzer.scope('static')).rejects.toThrow(TransientError);
  expect(await analyzer.scope('static')).toBe('scripted');
});

test('other errors read no key', async () => {
  let reads = 0;
  const analyzer = renewedAnalyzer(
    async () => {
      reads += 1;
      return { ...scriptedAnalyzer(), scope: async () => Promise.reject(new TransientError('away')) };
    },
    () => reads * 60_000,
  );
  await expect(analyzer.scope('static')).rejects.toThrow(TransientError);
  await expect(analyzer.scope('static')).rejects.toThrow(TransientError);
  expect(reads).toBe(1);
});
