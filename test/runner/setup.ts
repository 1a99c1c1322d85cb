/**
 * Begins each file of tests. Everything that tests generate has one seed, so that a test that fails fails because of the change.
 * `AIRLOCK_TEST_SEED=N npm test` generates other inputs, in another order of files.
 */
import fc from 'fast-check';
import { noteCosts } from './costs.ts';
import { compareBytesAtOnce } from './equal-bytes.ts';
import { KEEPS_MEMORY } from './v8-options.ts';

fc.configureGlobal({ seed: Number(process.env.AIRLOCK_TEST_SEED ?? 1) });
compareBytesAtOnce();
// This process has read them. The memory of programs that a test starts may be the matter of it.
for (const name of Object.keys(KEEPS_MEMORY)) delete process.env[name];

const { AIRLOCK_TEST_COSTS: costs } = process.env;
if (costs !== undefined) noteCosts(costs);
