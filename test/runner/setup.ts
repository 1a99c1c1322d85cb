/**
 * Begins each file of tests. Everything that tests generate has one seed, so that a test that fails fails because of the change.
 * `AIRLOCK_TEST_SEED=N npm test` generates other inputs, in another order of files.
 */
import fc from 'fast-check';
import { noteCosts } from './costs.ts';
import { compareBytesAtOnce } from './equal-bytes.ts';

fc.configureGlobal({ seed: Number(process.env.AIRLOCK_TEST_SEED ?? 1) });
compareBytesAtOnce();

const { AIRLOCK_TEST_COSTS: costs } = process.env;
if (costs !== undefined) noteCosts(costs);
