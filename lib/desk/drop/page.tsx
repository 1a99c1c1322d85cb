/** @jsxRuntime automatic @jsxImportSource #markup */
/** The page with the form to drop a file, and the page that shows its stages. */

import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { ownAddress, ownText, toPage } from '../../service/server/markup/values.ts';
import { sizeText, tableOf } from '../../service/server/report-page/elements.tsx';
import type { Dropped } from '../drops.ts';
import { type PageContext, pageText, readOnlyText } from '../layout.tsx';
import { SCRIPT_PATH } from '../live-script.ts';
import { alertOf, pageHead, secretField } from '../page-elements.tsx';
import type { DropView, StageRow } from './view.ts';

const NAME_CHARS = 120;
/** Without scripts, the page of a running analysis reloads itself after this many seconds. */
const AGAIN_SECONDS = '2';

export interface DropForm {
  readonly mayDrop: boolean;
  /** The files that were dropped here before. */
  readonly list: readonly Dropped[];
  /** Why the last file was not taken, or why none is. */
  readonly told: string | null;
  /** The largest file that is taken. */
  readonly mostBytes: number;
}

/** Returns the page with the form. */
export function dropPage(context: PageContext, { mayDrop, list, told, mostBytes }: DropForm): string {
  const { words } = context;
  const form = (
    <section>
      <form method="post" action={toPage`/drop`} enctype="multipart/form-data" class="filters">
        {secretField(context)}{' '}
        <label>
          {words.file}
          <input type="file" name="file" required />
        </label>{' '}
        <button>{words.analyse}</button>
      </form>
      <p class="note">
        {words.dropText} {words.atMost} {sizeText(mostBytes)}.
      </p>
    </section>
  );
  return pageText(
    context,
    `${words.drop} · Mail Airlock`,
    pageHead(words.drop),
    alertOf(told, 600),
    mayDrop ? form : told === null ? <p class="note">{readOnlyText(context)}</p> : NOTHING,
    listOf(context, list),
  );
}

function listOf({ words }: PageContext, list: readonly Dropped[]): Markup {
  if (list.length === 0) return NOTHING;
  const rows = list.map(({ runId, untrustedName, size, end }) => {
    const ended = end?.failed === null ? words.stepDone : words.stepFailed;
    return (
      <tr>
        <td>
          <a href={toPage`/drops/${runId}`}>{shown(untrustedName, NAME_CHARS)}</a>
        </td>
        <td class="short">{sizeText(size)}</td>
        <td class="short">{end === null ? words.stepUnderway : ended}</td>
      </tr>
    );
  });
  return (
    <section>
      <h2>{words.dropped}</h2>
      {tableOf([words.name, words.size, words.state], rows)}
    </section>
  );
}

/**
 * Returns the stages of one dropped file. During the analysis, the page of one machine has the script of the desk and its stream. The page
 * of a deployment reloads itself, as its answer says.
 */
export function dropRunPage(
  context: PageContext,
  { runId, untrustedName }: Dropped,
  view: DropView,
  how: 'streams' | 'reloads',
): string {
  const { words } = context;
  const here = toPage`/drops/${runId}`;
  const isStreamed = !view.isEnded && how === 'streams';
  const live = !isStreamed ? (
    NOTHING
  ) : (
    <>
      <script type="module" src={ownAddress(SCRIPT_PATH)}></script>
      <noscript>
        <meta http-equiv="refresh" content={ownText(AGAIN_SECONDS)} />
      </noscript>
    </>
  );
  const events = !isStreamed ? undefined : toPage`/drops/${runId}/events`;
  return pageText(
    { ...context, head: live },
    `${untrustedName} · Mail Airlock`,
    <header class="verdict">
      <p class="brand">Mail Airlock · {words.drop}</p>
      <h1>{shown(view.title, 1_200)}</h1>
    </header>,
    !isStreamed ? (
      NOTHING
    ) : (
      <p class="failure" data-lost={ownText('')} hidden role="status">
        {words.streamLost}
      </p>
    ),
    <section>
      <h2>{words.stages}</h2>
      <ol class="stages" data-events={events}>
        {view.rows.map(stageItem)}
      </ol>
    </section>,
    view.isEnded ? (
      <p class="pages">
        <a href={toPage`/mails/${runId}`}>{words.openMail}</a> <a href={toPage`/drop`}>{words.dropAnother}</a>
      </p>
    ) : (
      <p class="pages">
        <a href={here}>{words.loadAgain}</a>
      </p>
    ),
  );
}

/** Returns a row. The script of the page makes the same anew (live/live.js). */
function stageItem({ stage, name, state, stateText, took, found }: StageRow): Markup {
  return (
    <li class={state} data-stage={ownText(stage)}>
      <b>{name}</b> <span>{stateText}</span> <small>{took}</small>
      <ul>
        {found.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
    </li>
  );
}
