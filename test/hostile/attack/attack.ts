/**
 * `npm run attack`: sends every class of attack that is known through the whole airlock, prints how many were tried and how many
 * won, and ends. Nothing leaves this machine.
 */
import { parseArgs } from 'node:util';
import { openAirlock } from './airlock-run.ts';
import type { AttackClass } from './attack-class.ts';
import { CLASSES } from './classes.ts';
import { type Result, tryClass } from './try-class.ts';

const EXIT = { ok: 0, won: 1, usage: 2 } as const;
const NAMES = CLASSES.map(({ name }) => name).join(', ');
const HELP = `npm run attack -- [--only NAME]… [--json]

Sends attacks through the whole airlock, with ordinary mail of the same shape, and prints what got through or was spoiled.
  --only NAME  one class: ${NAMES}; can be given more than once
  --json       one JSON document on stdout instead of a table
  --help       this text

Exit codes: ${EXIT.ok} nothing won, ${EXIT.won} something did, ${EXIT.usage} wrong usage.
`;
/** Wins of a class that are printed one by one. */
const SHOWN = 20;

function row({ attack, tried, ended, won }: Result): string {
  const ways = [...ended].map(([word, count]) => `${count} ${word}`).join(', ');
  const lines = won.slice(0, SHOWN).map(({ id, won: what }) => `      ${id}: ${what}\n`);
  return `${attack.name.padEnd(26)} ${String(tried).padStart(6)} ${String(won.length).padStart(5)}  ${ways}\n${lines.join('')}`;
}

function jsonOf(results: readonly Result[]): string {
  const classes = results.map(({ attack, tried, ended, won }) => ({
    name: attack.name,
    title: attack.title,
    tried,
    ended: Object.fromEntries(ended),
    won,
  }));
  return `${JSON.stringify({ classes }, null, 2)}\n`;
}

async function run(classes: readonly AttackClass[], asJson: boolean): Promise<number> {
  const results: Result[] = [];
  if (!asJson) process.stdout.write(`${'class'.padEnd(26)} ${'tried'.padStart(6)} ${'won'.padStart(5)}  ended\n`);
  for (const attack of classes) {
    process.stderr.write(`${attack.name}: ${attack.title}\n`);
    const airlock = await openAirlock();
    try {
      const result = await tryClass(attack, airlock);
      results.push(result);
      if (!asJson) process.stdout.write(row(result));
    } finally {
      await airlock.close();
    }
  }
  const won = results.reduce((sum, result) => sum + result.won.length, 0);
  const tried = results.reduce((sum, result) => sum + result.tried, 0);
  process.stdout.write(asJson ? jsonOf(results) : `\n${tried} tried in ${results.length} classes, ${won} won\n`);
  return won === 0 ? EXIT.ok : EXIT.won;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const unknown = values.only.find((name) => !CLASSES.some((attack) => attack.name === name));
  if (unknown !== undefined) throw new TypeError(`There is no class "${unknown}". The classes are ${NAMES}.`);
  return run(
    CLASSES.filter(({ name }) => values.only.length === 0 || values.only.includes(name)),
    values.json,
  );
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nSee npm run attack -- --help\n`);
  process.exitCode = EXIT.usage;
}
