/** Bench part `attack`: every class of attack through the whole airlock, with what was tried and what won. */
import { openAirlock } from '../hostile/attack/airlock-run.ts';
import { CLASSES } from '../hostile/attack/classes.ts';
import { type Result, tryClass } from '../hostile/attack/try-class.ts';
import { count, type Part } from './figure.ts';

export const attack: Part = {
  name: 'attack',
  title: 'Attacks on the whole airlock',
  async measure(progress) {
    const results: Result[] = [];
    for (const one of CLASSES) {
      progress(`${one.name}: ${one.title}`);
      const airlock = await openAirlock();
      try {
        results.push(await tryClass(one, airlock));
      } finally {
        await airlock.close();
      }
    }
    const tried = results.reduce((sum, result) => sum + result.tried, 0);
    const won = results.reduce((sum, result) => sum + result.won.length, 0);
    const rows = results.map((result) => [
      `${result.attack.name}: ${result.attack.title}`,
      count(result.tried),
      count(result.won.length),
    ]);
    return {
      figures: [{ name: 'attacks that won', measured: count(won), atMost: 0, baselines: [] }],
      tables: [{ title: 'By class', columns: ['class', 'tried', 'won'], rows }],
      notes: [
        `${tried.toLocaleString('en-US')} attempts in ${results.length} classes, ordinary mail of the same shape among them.`,
      ],
    };
  },
};
