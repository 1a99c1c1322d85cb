/** @jsxRuntime automatic @jsxImportSource #markup */
/** The page of delivered mail that should be recalled: a person should inform its recipients. */

import type { Hono } from 'hono';
import type { Exposure, Recalled } from '../../pipeline/recall/recall.ts';
import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { tableOf } from '../../service/server/report-page/elements.tsx';
import { minuteText } from '../../words/minute-text.ts';
import { contextOf, type RecallParts } from '../desk-parts.tsx';
import type { DeskWords } from '../desk-words.ts';
import { type PageContext, pageText } from '../layout.tsx';
import { pageHead } from '../page-elements.tsx';
import { verdictBadge } from '../verdict-badge.ts';
import { mailLink } from './mail-link.tsx';

const DAYS_MS = 30 * 86_400_000;
/** A browser waits for the answer, and an HTTP API half a minute. */
const LOOKED_AT = { all: 1_000, cloud: 200 } as const;
const [EXPOSURES, TEXT_CHARS] = [5, 120];

/** Adds the address to the desk. */
export function addRecall(app: Hono, parts: RecallParts): void {
  app.get('/recall', async (c) => {
    const found: Recalled[] = [];
    for await (const recalled of parts.recalls(parts.now() - DAYS_MS, LOOKED_AT[parts.pages])) found.push(recalled);
    return c.html(recallPage(contextOf(parts, c.req.header('accept-language')), found));
  });
}

function recallPage(context: PageContext, found: readonly Recalled[]): string {
  const { words } = context;
  const head = [words.came, words.subject, words.sender, words.recipient, words.reason];
  const table = tableOf(
    head,
    found.map((recalled) => line(words, recalled)),
  );
  return pageText(
    context,
    `${words.recall} · Mail Airlock`,
    pageHead(words.recall, <p>{words.recallText}</p>),
    <section>
      {found.length === 0 ? <p>{words.noRecall}</p> : table}
      <p class="note">{words.onlyNewestLooked}</p>
    </section>,
  );
}

function line(words: DeskWords, { row, exposures }: Recalled): Markup {
  const rest = exposures.length - EXPOSURES;
  const few = exposures.slice(0, EXPOSURES).map((exposure) => whyOf(words, exposure));
  return (
    <tr>
      <td class="short">{minuteText(row.bornAt)}</td>
      <td>{mailLink(words, row, TEXT_CHARS)}</td>
      <td>{shown(row.from, TEXT_CHARS)}</td>
      <td>{shown(row.to, TEXT_CHARS)}</td>
      <td>
        {few}
        {rest > 0 ? <>+ {rest}</> : NOTHING}
      </td>
    </tr>
  );
}

function whyOf(words: DeskWords, { cause, of, name, verdict, delivered }: Exposure): Markup {
  if (cause === 'unreadable')
    return (
      <>
        {words.recordUnreadable}
        <br />
      </>
    );
  const what = of === 'sender' ? words.itsSender : shown(name, TEXT_CHARS);
  const is = verdict === null ? words.isBlocked : verdictBadge(words, verdict);
  const how = delivered === 'keep' ? words.wasKept : words.wasDisarmed;
  return (
    <>
      {what} {is}
      {of === 'file' ? <>; {how}</> : NOTHING}
      <br />
    </>
  );
}
