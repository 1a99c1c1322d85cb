/** @jsxRuntime automatic @jsxImportSource #markup */
/** The page of held mail that its recipients ask for. */

import type { Hono } from 'hono';
import type { Asks } from '../../pipeline/ports.ts';
import type { Ask } from '../../pipeline/review/ask.ts';
import type { RunRow } from '../../pipeline/runs/row.ts';
import { type Markup, shown } from '../../service/server/markup/jsx-runtime.ts';
import { tableOf } from '../../service/server/report-page/elements.tsx';
import { minuteText } from '../../words/minute-text.ts';
import { contextOf, type ReadingParts } from '../desk-parts.tsx';
import type { DeskWords } from '../desk-words.ts';
import { type PageContext, pageText } from '../layout.tsx';
import { pageHead } from '../page-elements.tsx';
import { mailLink } from './mail-link.tsx';

/** The newest requests that are read. Those whose mail is still held are shown. */
const LOOKED_AT = 500;
const TEXT_CHARS = 120;

/** The parts that are needed to list the requests of recipients. */
export interface AskingParts extends Pick<ReadingParts, 'runs' | 'person' | 'guard' | 'pages'> {
  readonly asks: Pick<Asks, 'of' | 'list'>;
}

interface Asked {
  readonly ask: Ask;
  readonly row: RunRow;
}

/** Adds the address to the desk. */
export function addAsks(app: Hono, parts: AskingParts): void {
  app.get('/asks', async (c) => {
    const found: Asked[] = [];
    for (const ask of await parts.asks.list(LOOKED_AT)) {
      const row = await parts.runs.get(ask.runId);
      if (row?.state === 'quarantined') found.push({ ask, row });
    }
    return c.html(asksPage(contextOf(parts, c.req.header('accept-language')), found));
  });
}

function asksPage(context: PageContext, asked: readonly Asked[]): string {
  const { words } = context;
  const head = [words.askedAt, words.recipient, words.subject, words.sender, words.reason];
  const table = tableOf(
    head,
    asked.map((each) => line(words, each)),
  );
  return pageText(
    context,
    `${words.asks} · Mail Airlock`,
    pageHead(words.asks, <p>{words.asksText}</p>),
    <section>{asked.length === 0 ? <p>{words.noAsks}</p> : table}</section>,
  );
}

function line(words: DeskWords, { ask, row }: Asked): Markup {
  return (
    <tr>
      <td class="short">{minuteText(ask.at)}</td>
      <td>{ask.recipient}</td>
      <td>{mailLink(words, row, TEXT_CHARS)}</td>
      <td>{shown(row.from, TEXT_CHARS)}</td>
      <td>{ask.untrustedWhy}</td>
    </tr>
  );
}
