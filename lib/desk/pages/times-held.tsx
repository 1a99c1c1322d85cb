/** @jsxRuntime automatic @jsxImportSource #markup */
/** The table of how often mail was held, by reason, in the last hour, day, week and 30 days. */
import { REASON_CODES } from '../../pipeline/reason-codes.ts';
import { HELD_SPANS, type HeldSpan, type TimesHeld } from '../../pipeline/runs/times-held.ts';
import type { Markup } from '../../service/server/markup/jsx-runtime.ts';
import { section, table } from '../../service/server/report-page/elements.tsx';
import type { PageContext } from '../layout.tsx';
import { reasonLabel } from '../reason-word.tsx';

const SPAN_WORDS = { hour: 'hour1', day: 'day1', week: 'day7', days30: 'day30' } as const;
const SPANS = Object.keys(HELD_SPANS) as readonly HeldSpan[];

/** Makes the section. */
export function timesHeldSection({ words, language }: PageContext, { all, byReason }: TimesHeld): Markup {
  if (all.days30 === 0) return section(words.timesHeld, <p>{words.neverHeld}</p>);
  const rows = byReason.map(({ code, ...counts }) => [
    reasonLabel(language, code),
    ...SPANS.map((span) => counts[span]),
  ]);
  return section(
    words.timesHeld,
    table(
      [words.reason, ...SPANS.map((span) => words[SPAN_WORDS[span]])],
      [[words.allReasons, ...SPANS.map((span) => all[span])], ...rows],
      REASON_CODES.length + 1,
    ),
    <p class="note">{words.timesHeldText}</p>,
  );
}
