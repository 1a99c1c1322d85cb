/** `airlock runs overview`: the amount of mail, the reasons for holding it, the times of stages, and unfinished runs. */
import { type Command, Option } from 'commander';
import { OVERVIEW_DAYS, type Overview, type OverviewDays, overviewOf } from '../pipeline/runs/overview.ts';
import { RUN_STATES } from '../pipeline/runs/row.ts';
import type { SpanCounts } from '../pipeline/runs/times-held.ts';
import { safeJson } from '../pipeline/safe-text.ts';
import { type Console, writeLine } from './console.ts';
import { openPlace } from './places/open.ts';

interface OverviewOptions {
  readonly out: string;
  readonly stack?: string;
  readonly days: string;
  readonly json?: boolean;
}

/** Adds the verb to `airlock runs`. */
export function addOverview(runs: Command, console: Console, done: (code: number) => void): void {
  runs
    .command('overview')
    .description('say how much mail came in, what was held for, and how long the stages took')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--stack <name>', 'the runs of a deployment instead, by the name of its stack')
    .addOption(new Option('--days <number>', 'of the last days').choices(OVERVIEW_DAYS.map(String)).default('1'))
    .option('--json', 'print one JSON object on stdout')
    .action(async (options: OverviewOptions) => done(await overviewVerb(console, options)));
}

async function overviewVerb(console: Console, options: OverviewOptions): Promise<number> {
  const { days, json } = options;
  const place = await openPlace(console, options);
  try {
    const overview = await overviewOf(await place.index(), Number(days) as OverviewDays, Date.now());
    const lines = json === true ? [safeJson(overview)] : linesOf(overview);
    for (const line of lines) await writeLine(console.stdout, line);
    return 0;
  } finally {
    await place.close();
  }
}

function linesOf(overview: Overview): string[] {
  const { since, states, perHour, held, failures, stages, measuredRuns, oldestRunning, spent, timesHeld } = overview;
  const list = (counts: Overview['held']) => counts.map(({ code, runs }) => `${code} ${runs}`).join(', ') || 'none';
  const counts = RUN_STATES.map((state) => `${state} ${states[state]}`).join(', ');
  const open = oldestRunning;
  return [
    `since     ${new Date(since).toISOString()}`,
    `mails     ${counts}; ${perHour.toFixed(1)} an hour`,
    `held for  ${list(held)}`,
    `failures  ${list(failures)}`,
    `held      ${often(timesHeld.all)}, whatever became of it since`,
    ...timesHeld.byReason.map(({ code, ...counts }) => `          ${code}: ${often(counts)}`),
    `not ended ${open === null ? 'none' : `${open.reference}  ${open.runId}, since ${new Date(open.bornAt).toISOString()}`}`,
    ...stages.map(({ stage, p50Ms, p95Ms }) => `${stage.padEnd(10)} p50 ${p50Ms} ms, p95 ${p95Ms} ms`),
    `analyses  ${spent.sent} sent, ${spent.shared} known or shared, ${spent.notAsked} not asked for want of budget`,
    `cost      ${spent.usd.toFixed(4)} US dollars on AWS by list price, without engines, services and storage`,
    `stages, analyses and cost were measured on the newest ${measuredRuns} runs that have ended`,
  ];
}

const often = ({ hour, day, week, days30 }: SpanCounts): string =>
  `${hour} in the last hour, ${day} in 24 hours, ${week} in 7 days, ${days30} in 30 days`;
