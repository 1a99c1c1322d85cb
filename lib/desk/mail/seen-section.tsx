/** @jsxRuntime automatic @jsxImportSource #markup */
/**
 * The parts of a mail on a page that is a file: as they came and as they are delivered, side by side. It loads nothing: its pictures are
 * inside.
 */

import type { Drawn } from '../../formats/drawn/draw-request.ts';
import { type Markup, NOTHING, plain, shown } from '../../service/server/markup/jsx-runtime.ts';
import { attribute, pictureAddress } from '../../service/server/markup/values.ts';
import { section, sizeText } from '../../service/server/report-page/elements.tsx';
import type { DeskWords } from '../desk-words.ts';
import type { PageContext } from '../layout.tsx';
import type { SeenSide } from './part-page.tsx';
import type { SeenPart, SeenParts } from './seen-parts.ts';

const NAME_CHARS = 120;
/** A message of a thousand lines on paper. Characters and lines of a text. */
const [TEXT_CHARS, TEXT_LINES] = [1_200, 24];

/** Returns the section. */
export function seenSection({ words }: PageContext, { parts, left }: SeenParts): Markup {
  const rest = left > 0 ? <p class="more">+ {left}</p> : NOTHING;
  return section(words.sideBySide, ...parts.map((each) => onePart(words, each)), rest);
}

/** Returns the same without pictures, to be weighed. */
export const seenTexts = (context: PageContext, { parts, left }: SeenParts): Markup =>
  seenSection(context, {
    parts: parts.map(({ sides, before, after }) => ({ sides, before: textOf(before), after: textOf(after) })),
    left,
  });

const NO_BYTES = new Uint8Array(0);
function textOf<Said extends string | null>(side: Drawn | Said): Drawn | Said {
  if (side === null || typeof side === 'string') return side;
  return { ...side, pictures: side.pictures.map(() => NO_BYTES) };
}

function onePart(words: DeskWords, { sides: { name, part }, before, after }: SeenPart): Markup {
  const delivered = part.delivered === null ? words.asDisarmed : words.asDelivered;
  return (
    <article>
      <h3>
        {shown(name, NAME_CHARS)} <small>{plain(part.path)}</small> <small>{sizeText(part.size)}</small>
      </h3>
      <div class="sides">
        {after === 'same' ? (
          <div>{oneSide(words, words.deliveredAsItCame, before)}</div>
        ) : (
          <>
            <div>{oneSide(words, words.asItCame, before)}</div>
            <div>{oneSide(words, delivered, after)}</div>
          </>
        )}
      </div>
    </article>
  );
}

function oneSide(words: DeskWords, title: string, seen: SeenSide): Markup {
  const heading = (
    <p>
      <b>{title}</b>
    </p>
  );
  const said = (text: string) => (
    <>
      {heading}
      <p>{text}</p>
    </>
  );
  if (seen === null) return said(words.nothingInstead);
  if (seen === 'gone') return said(words.bytesGone);
  if (seen === 'unknown' || seen.outcome === 'undrawable') return said(words.notDrawn);
  const { pictures, untrustedText, outcome } = seen;
  // Empty lines say nothing, and paper is short.
  const lines = untrustedText.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  const cut = lines.slice(0, TEXT_LINES).join('\n');
  const isCut = lines.length > TEXT_LINES || cut.length > TEXT_CHARS;
  return (
    <>
      {heading}
      {pictures.map((png, at) => (
        <img src={pictureAddress(png)} alt={attribute(`${title}, ${words.pageNumber} ${at + 1}`)} />
      ))}
      {untrustedText === '' ? NOTHING : <p>{textLines(cut.slice(0, TEXT_CHARS))}</p>}
      {outcome === 'partly' || isCut ? <p class="more">{words.drawnPartly}</p> : NOTHING}
    </>
  );
}

const textLines = (text: string): Markup => (
  <>
    {text.split('\n').map((line) => (
      <>
        {shown(line, TEXT_CHARS)}
        <br />
      </>
    ))}
  </>
);
