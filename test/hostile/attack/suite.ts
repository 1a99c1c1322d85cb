/** A class of attack as a test. */
import { expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../../lib/pipeline/policy/policy.ts';
import { SHARE } from '../share.ts';
import { type Airlock, openAirlock } from './airlock-run.ts';
import type { AttackClass } from './attack-class.ts';
import { tryClass } from './try-class.ts';

/** Fewer attempts than this are a list, not a class. */
const LEAST = 50;

/** One for all classes that are tried in this process, which ends it: a thread of the engines takes a second to start. */
let engines: Promise<Airlock> | null = null;

/** The test of one class: at least fifty attempts, none of which wins. */
export function testAttack(attack: AttackClass): void {
  test(`${attack.name}: no attempt wins`, async () => {
    engines ??= openAirlock();
    const { tried, won } = await tryClass(attack, (await engines).under(DEFAULT_POLICY));
    expect(won.map(({ id, won: what }) => `${id}: ${what}`)).toEqual([]);
    expect(tried).toBeGreaterThanOrEqual(LEAST / SHARE);
  });
}
