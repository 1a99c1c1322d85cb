/** @jsxRuntime automatic @jsxImportSource #markup */
/** The page of one part of a mail: the original and the disarmed file side by side, as pictures that were drawn here or as text. */

import type { Drawn } from '../../formats/drawn/draw-request.ts';
import type { SideName } from '../../pipeline/review/preview-request.ts';
import { documentText, type Markup, NOTHING, ownStyle, plain, shown } from '../../service/server/markup/jsx-runtime.ts';
import { attribute, ownAddress, toPage } from '../../service/server/markup/values.ts';
import { code, sizeText } from '../../service/server/report-page/elements.tsx';
import { referenceOf } from '../../words/reference.ts';
import type { DeskWords } from '../desk-words.ts';
import { type PageContext, pageText } from '../layout.tsx';
import type { PartSides } from './part-sides.ts';

const NAME_CHARS = 200;

/**
 * The known form of a side: null when there is none, `gone` when its bytes are not stored any more, `unknown` for a type that is not drawn.
 */
export type SeenSide = Drawn | 'gone' | 'unknown' | null;

/** Makes the page. */
export function partPage(
  context: PageContext,
  runId: string,
  { name, part, after }: PartSides,
  seen: Readonly<Record<SideName, SeenSide>>,
): string {
  const { words } = context;
  const isDelivered = part.delivered !== null;
  const here = `/mails/${runId}/parts/${part.path}`;
  const side = (which: SideName, title: string, sha256: string | null) => (
    <div>
      <h2>{title}</h2>
      {sha256 === null ? NOTHING : <p>{code(sha256)}</p>}
      {seenSide(words, `${here}/${which}`, title, seen[which])}
    </div>
  );
  return pageText(
    context,
    `${name} · ${referenceOf(runId)}`,
    <header class="verdict">
      <p class="brand">
        Mail Airlock · <a href={toPage`/mails/${runId}`}>{referenceOf(runId)}</a>
      </p>
      <h1>{shown(name, NAME_CHARS)}</h1>
      <p>
        {plain(part.path)} · {part.detectedType ?? part.declaredType} · {sizeText(part.size)}
      </p>
    </header>,
    <p class="note">{part.typeGroup === 'office' ? words.officeText : words.drawnText}</p>,
    <section class="sides">
      {side('before', words.asItCame, part.sha256)}
      {side('after', isDelivered ? words.asDelivered : words.asDisarmed, after?.stored.sha256 ?? null)}
    </section>,
  );
}

function seenSide(words: DeskWords, address: string, title: string, seen: SeenSide): Markup {
  if (seen === null) return <p>{words.nothingInstead}</p>;
  if (seen === 'gone') return <p>{words.bytesGone}</p>;
  if (seen === 'unknown' || seen.outcome === 'undrawable') return <p>{words.notDrawn}</p>;
  const partly = seen.outcome === 'partly' ? <p class="more">{words.drawnPartly}</p> : NOTHING;
  if (seen.pictures.length === 0)
    return (
      <>
        <iframe sandbox="" title={attribute(title)} src={ownAddress(`${address}/text`)}></iframe>
        {partly}
      </>
    );
  const pictures = seen.pictures.map((_, at) => (
    <img src={ownAddress(`${address}/${at + 1}`)} alt={attribute(`${title}, ${words.pageNumber} ${at + 1}`)} />
  ));
  return (
    <>
      {pictures}
      {partly}
    </>
  );
}

/** Returns a text in a frame of its own: nothing in it is markup, and nothing of it is a link. */
export function textFrame(untrustedText: string, style: string): string {
  const lines = untrustedText.split(/\r\n|\r|\n/).map((line) => (
    <>
      {shown(line, FRAME_LINE_CHARS)}
      <br />
    </>
  ));
  return documentText(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Text</title>
        {ownStyle(style)}
      </head>
      <body>{lines}</body>
    </html>,
  );
}

const FRAME_LINE_CHARS = 20_000;
