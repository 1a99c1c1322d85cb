/** Tries one class of attack to its end, and counts. */
import type { Airlock } from './airlock-run.ts';
import type { AttackClass, Attempt } from './attack-class.ts';

export interface Result {
  readonly attack: AttackClass;
  readonly tried: number;
  /** How often the airlock ended an attempt in which way. */
  readonly ended: ReadonlyMap<string, number>;
  /** What got through, or was spoiled. */
  readonly won: readonly Attempt[];
}

/** Throws when two attempts of a class have one id: one of them would be counted for nothing. */
export async function tryClass(attack: AttackClass, airlock: Airlock): Promise<Result> {
  const ended = new Map<string, number>();
  const seen = new Set<string>();
  const won: Attempt[] = [];
  for await (const attempt of attack.attempts(airlock)) {
    if (seen.has(attempt.id)) throw new Error(`${attack.name} has two attempts called ${attempt.id}`);
    seen.add(attempt.id);
    ended.set(attempt.ended, (ended.get(attempt.ended) ?? 0) + 1);
    if (attempt.won !== null) won.push(attempt);
  }
  return { attack, tried: seen.size, ended, won };
}
