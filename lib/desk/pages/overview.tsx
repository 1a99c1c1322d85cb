/** @jsxRuntime automatic @jsxImportSource #markup */
/** The page with figures of the incoming mail: how much, the reasons for holding it, the times of stages, and unfinished mail. */

import type { Hono } from 'hono';
import { type CodeCount, OVERVIEW_DAYS, type Overview, overviewOf } from '../../pipeline/runs/overview.ts';
import { RUN_STATES, type RunState } from '../../pipeline/runs/row.ts';
import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { ownText, toPage } from '../../service/server/markup/values.ts';
import { facts, section, table } from '../../service/server/report-page/elements.tsx';
import { minuteText } from '../../words/minute-text.ts';
import { contextOf, type ReadingParts, type ServiceQuota } from '../desk-parts.tsx';
import type { DeskWords } from '../desk-words.ts';
import { type PageContext, pageText } from '../layout.tsx';
import { pageHead } from '../page-elements.tsx';
import { reasonLabel } from '../reason-word.tsx';
import { STAGE_WORDS } from '../stage-words.ts';
import { stateWord } from '../state-word.tsx';
import { timesHeldSection } from './times-held.tsx';

const DAY_WORDS = { 1: 'day1', 7: 'day7', 30: 'day30' } as const;
/** Units of the drawing. It is as wide as the page. */
const [WIDTH, HEIGHT, GAP] = [900, 140, 4];
const [SUBJECT_CHARS, ROWS] = [120, 80];

/** Adds the address to the desk. A text that is no known span counts as not given. */
export function addOverview(app: Hono, parts: ReadingParts): void {
  app.get('/overview', async (c) => {
    const days = OVERVIEW_DAYS.find((known) => String(known) === c.req.query('days')) ?? 1;
    const overview = await overviewOf(parts.runs, days, parts.now());
    // A service that does not answer does not delay the figures.
    const quota = (await parts.quota?.().catch(() => null)) ?? null;
    return c.html(overviewPage(contextOf(parts, c.req.header('accept-language')), overview, quota));
  });
}

/** Makes the page. */
export function overviewPage(context: PageContext, overview: Overview, quota: ServiceQuota | null = null): string {
  const { words } = context;
  const text = words.overviewText.replace('{since}', minuteText(overview.since));
  return pageText(
    context,
    `${words.overview} · Mail Airlock`,
    pageHead(
      words.overview,
      <>
        <p>{text}</p>
        {spans(words, overview)}
      </>,
    ),
    mails(words, overview),
    section(words.heldBy, counts(context, overview.held, words.noneHeld)),
    timesHeldSection(context, overview.timesHeld),
    section(words.failuresText, counts(context, overview.failures, words.noFailure)),
    stages(words, overview),
    spending(context, overview, quota),
    oldest(words, overview),
  );
}

function spans(words: DeskWords, { days }: Overview): Markup {
  const items = OVERVIEW_DAYS.map((each) => {
    const name = words[DAY_WORDS[each]];
    return (
      <li>
        <a href={toPage`/overview?days=${each}`} aria-current={each === days ? 'page' : undefined}>
          {name}
        </a>
      </li>
    );
  });
  return <ul class="counts">{items}</ul>;
}

function mails(words: DeskWords, overview: Overview): Markup {
  const { states, perHour, slotHours } = overview;
  const all = RUN_STATES.reduce((sum, state) => sum + states[state], 0);
  const title = slotHours === 1 ? words.inEachHour : words.perSlot.replace('{hours}', String(slotHours));
  return section(
    title,
    chart(words, overview, title),
    facts([
      [words.mails, all],
      [words.perHour, Math.round(perHour * 10) / 10],
      ...RUN_STATES.map((state): [string, number] => [words[state], states[state]]),
    ]),
  );
}

/** Returns one bar for each slot, the states on top of each other. Its label and the table below it have the same content. */
function chart(words: DeskWords, { slots }: Overview, title: string): Markup {
  const sums = slots.map(({ states }) => RUN_STATES.reduce((sum, state) => sum + states[state], 0));
  const most = Math.max(1, ...sums);
  const width = WIDTH / slots.length;
  const bars = slots.map(({ states }, number) => {
    let y = HEIGHT;
    return STACKED.map((state) => {
      const height = (states[state] / most) * HEIGHT;
      y -= height;
      return states[state] === 0 ? NOTHING : rect(state, { x: number * width, y, width: width - GAP, height });
    });
  });
  const label = `${title}: ${slots.map(({ at }, number) => `${minuteText(at)} ${sums[number]}`).join(', ')}`;
  const ends = (
    <>
      <p class="note">
        {minuteText(slots[0]?.at ?? 0)} – {minuteText(slots.at(-1)?.at ?? 0)}; {words.highestBar} {most}
      </p>
      <p class="note key">
        {STACKED.map((state) => (
          <>{stateWord(words, state)} </>
        ))}
      </p>
    </>
  );
  return (
    <>
      <svg
        class="chart"
        role="img"
        aria-label={ownText(label)}
        viewBox={ownText(`0 0 ${WIDTH} ${HEIGHT}`)}
        preserveAspectRatio="none"
      >
        {bars}
      </svg>
      {ends}
    </>
  );
}

const STACKED: readonly RunState[] = ['delivered', 'quarantined', 'deleted', 'running'];

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const tenths = (length: number) => Math.round(length * 10) / 10;

function rect(state: RunState, box: Box): Markup {
  const { x, y, width, height } = box;
  return <rect class={state} x={tenths(x)} y={tenths(y)} width={tenths(width)} height={tenths(height)} />;
}

function counts({ words, language }: PageContext, all: readonly CodeCount[], none: string): Markup {
  if (all.length === 0) return <p>{none}</p>;
  const most = Math.max(...all.map(({ runs }) => runs));
  const rows = all.map(({ code, runs }) => [
    <a href={toPage`/mails?state=&reason=${code}`}>{reasonLabel(language, code)}</a>,
    runs,
    <svg
      class="share"
      role="img"
      aria-label={ownText(String(runs))}
      viewBox={ownText('0 0 100 4')}
      preserveAspectRatio="none"
    >
      <rect x={0} y={0} width={Math.round((runs / most) * 100)} height={4} />
    </svg>,
  ]);
  return table([words.reason, words.count, words.share], rows, ROWS);
}

function stages(words: DeskWords, { stages: all, measuredRuns }: Overview): Markup {
  if (all.length === 0) return section(words.stagesText, <p>{words.notMeasured}</p>);
  const rows = all.map(({ stage, p50Ms, p95Ms }) => [
    <>
      {words[STAGE_WORDS[stage]]} <small>{stage}</small>
    </>,
    p50Ms,
    p95Ms,
  ]);
  const note = words.measuredOn.replace('{runs}', String(measuredRuns));
  return section(words.stagesText, table([words.stage, words.p50, words.p95], rows, ROWS), <p class="note">{note}</p>);
}

/** Returns the cost of analyses and stages, and the quota that the service still grants today. */
function spending({ words, desk }: PageContext, { spent, measuredRuns }: Overview, quota: ServiceQuota | null): Markup {
  const unknown = desk?.pages === 'cloud' ? words.quotaUnasked : words.noQuota;
  const at = quota?.at === undefined ? '' : ` (${minuteText(Date.parse(quota.at))} UTC)`;
  const left = quota === null ? unknown : `${quota.left} / ${quota.limit}${at}`;
  return section(
    words.quotaAndMoney,
    facts([
      [words.analysesSent, spent.sent],
      [words.analysesShared, spent.shared],
      [words.analysesNotAsked, spent.notAsked],
      [words.quotaLeft, left],
      [words.costOnAws, `$${spent.usd.toFixed(4)}`],
    ]),
    <p class="note">{words.spentOn.replace('{runs}', String(measuredRuns))}</p>,
  );
}

function oldest(words: DeskWords, { oldestRunning: row }: Overview): Markup {
  if (row === null) return section(words.oldestOpen, <p>{words.noneOpen}</p>);
  const subject = row.subject === '' ? <i>{words.noSubject}</i> : shown(row.subject, SUBJECT_CHARS);
  const link = (
    <>
      <a href={toPage`/mails/${row.runId}`}>{subject}</a> <small>{row.reference}</small>
    </>
  );
  return section(
    words.oldestOpen,
    table([words.came, words.state, words.subject], [[minuteText(row.bornAt), stateWord(words, row.state), link]], 1),
  );
}
