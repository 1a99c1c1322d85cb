/** A class of attack as a test. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Airlock, openAirlock } from './airlock-run.ts';
import type { AttackClass } from './attack-class.ts';
import { tryClass } from './try-class.ts';

/** Fewer attempts than this are a list, not a class. */
const LEAST = 50;
const TEST_MS = 600_000;

/** The test of one class: at least fifty attempts, none of which wins. */
export function testAttack(attack: AttackClass): void {
  let airlock: Airlock;
  beforeAll(async () => {
    airlock = await openAirlock();
  });
  afterAll(() => airlock.close());

  test(
    `${attack.name}: no attempt wins`,
    async () => {
      const { tried, won } = await tryClass(attack, airlock);
      expect(won.map(({ id, won: what }) => `${id}: ${what}`)).toEqual([]);
      expect(tried).toBeGreaterThanOrEqual(LEAST);
    },
    TEST_MS,
  );
}
