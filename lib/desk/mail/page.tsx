/** @jsxRuntime automatic @jsxImportSource #markup */
/** The page of one mail: its end in one sentence, its content, the findings, and the possible decisions. */

import { recipientsText } from '../../pipeline/ledger/correspondents.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Role } from '../../pipeline/model.ts';
import type { Ask } from '../../pipeline/review/ask.ts';
import { passwordsFrom } from '../../pipeline/runs/sentence.ts';
import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { toPage } from '../../service/server/markup/values.ts';
import { code, facts, section, sizeText, timeText } from '../../service/server/report-page/elements.tsx';
import { minuteText } from '../../words/minute-text.ts';
import { referenceOf } from '../../words/reference.ts';
import type { DeskWords } from '../desk-words.ts';
import { type PageContext, pageText } from '../layout.tsx';
import { secretField, whyField } from '../page-elements.tsx';
import { blockForms } from '../pages/block-forms.tsx';
import { decisions, type Offered } from '../pages/decisions.tsx';
import { FEW_ROWS, limited } from '../pages/rows.tsx';
import { bytesOf, sharing } from '../pages/weight.ts';
import { changesIn, sentenceIn } from '../sentence.ts';
import { stateWord } from '../state-word.tsx';
import { DESK_STYLE } from '../style.ts';
import type { MailCost } from './cost.ts';
import { findings, links, oddities, reasons, unasked } from './findings.tsx';
import type { OtherMails } from './other-mail.ts';
import { NOTHING_SEEN, type SeenParts } from './seen-parts.ts';
import { seenSection, seenTexts } from './seen-section.tsx';
import { otherMail, timeline } from './timeline.tsx';
import { partTree } from './tree.tsx';
import { header, signatures, way } from './way.tsx';

export interface MailContents {
  readonly ledger: Ledger;
  readonly cost: MailCost;
  /** Other mail that has something in common with this one; null when there was no search. */
  readonly others: OtherMails | null;
  /** The header of the original; null when it cannot be read any more. */
  readonly untrustedHeader: string | null;
  /** The people who ask for it. */
  readonly asks: readonly Ask[];
  /** The decisions that can be made here, and the one that led to the page. */
  readonly offered: Offered;
  /** The parts that the page itself shows. On a desk they have pages of their own. */
  readonly seen?: SeenParts;
}

const NAME_CHARS = 200;
/** A page with its style and without pictures has no more, for any mail. */
const PAGE_BYTES = 100_000;
/** The style, the head of the page and its navigation. */
const FRAME_BYTES = Buffer.byteLength(DESK_STYLE) + 2_500;

/** Makes the page. */
export function mailPage(context: PageContext, contents: MailContents): string {
  const { ledger, cost, others, untrustedHeader, asks, offered, seen = NOTHING_SEEN } = contents;
  const { words, language } = context;
  const state = ledger.terminal?.state ?? 'running';
  const isHeld = state === 'quarantined';
  const sentence = sentenceIn(language, ledger);
  const changes = changesIn(language, ledger);
  const around = {
    top: (
      <header class={`verdict ${state}`}>
        <p class="brand">
          Mail Airlock · {referenceOf(ledger.runId)} · {stateWord(words, state)}
        </p>
        <h1>{shown(sentence, 1_200)}</h1>
        {changes === '' ? NOTHING : <p>{changes}</p>}
      </header>
    ),
    asked: askedFor(words, asks),
    decide: decisions(context, ledger, offered),
    facts: messageFacts(context, ledger, offered.role),
    unasked: unasked(context, ledger),
    way: way(context, untrustedHeader),
    signed: signatures(context, ledger),
    times: timeline(context, ledger, cost),
    block: blockForms(context, ledger, offered.role),
  };
  const weighed = [...Object.values(around), seenTexts(context, seen)];
  const rest = weighed.reduce((sum, each) => sum + bytesOf(each), 0);
  const long = sharing(PAGE_BYTES - FRAME_BYTES - rest, {
    parts: { least: 62_000, of: (bytes) => partTree(context, ledger, bytes) },
    found: { least: 6_000, of: (bytes) => findings(context, ledger, bytes) },
    why: { least: 2_000, of: (bytes) => (isHeld ? reasons(context, ledger, bytes) : NOTHING) },
    links: { least: 2_000, of: (bytes) => links(context, ledger, bytes) },
    odd: { least: 1_000, of: (bytes) => oddities(context, ledger, bytes) },
    header: { least: 1_000, of: (bytes) => header(context, untrustedHeader, bytes) },
    others: { least: 1_000, of: (bytes) => (others === null ? NOTHING : otherMail(context, others, bytes)) },
  });
  return pageText(
    context,
    `${referenceOf(ledger.runId)} · ${sentence}`,
    around.top,
    around.asked,
    long.why,
    around.decide,
    around.facts,
    long.parts,
    seenSection(context, seen),
    long.found,
    long.links,
    long.odd,
    around.unasked,
    around.way,
    around.signed,
    long.header,
    around.times,
    long.others,
    around.block,
  );
}

/** Returns the people who ask for the mail. The words of a recipient are untrusted like the mail itself. */
function askedFor(words: DeskWords, asks: readonly Ask[]): Markup {
  const rows = asks.map(({ at, recipient, untrustedWhy }) => [minuteText(at), recipient, untrustedWhy]);
  return section(words.asks, limited(words, [words.askedAt, words.recipient, words.reason], rows, FEW_ROWS));
}

function messageFacts(context: PageContext, ledger: Ledger, role: Role): Markup {
  const { words, desk } = context;
  const { message, runId, attempt, intake, sha256, bornAt, terminal } = ledger;
  const recipients = recipientsText(ledger);
  return section(
    words.message,
    facts([
      [words.subject, message === null ? null : shown(message.untrustedSubject, NAME_CHARS)],
      [words.sender, message === null ? null : shown(message.untrustedFrom, NAME_CHARS)],
      [words.recipient, recipients === null ? null : shown(recipients, NAME_CHARS)],
      [words.came, timeText(Date.parse(bornAt))],
      [words.ended, terminal === null ? null : timeText(Date.parse(terminal.at))],
      [words.size, intake.size === null ? null : sizeText(intake.size)],
      [words.hashes, sha256 === null ? null : code(sha256)],
      [words.run, code(runId)],
      [words.attempt, attempt.reason === null ? String(attempt.number) : `${attempt.number} (${attempt.reason})`],
      [words.otherMail, otherMails(ledger)],
    ]),
    desk === null ? NOTHING : asFile(context, runId),
    desk !== null && desk.person !== null && role !== 'reader' ? download(context, runId) : NOTHING,
  );
}

/** Returns the same page without forms, to be kept or passed on. */
const asFile = ({ words }: PageContext, runId: string): Markup => (
  <p class="acts">
    <a href={toPage`/mails/${runId}/report.html`}>{words.asFile}</a>
  </p>
);

/** Returns the form of the original. A person who takes it out gives a reason, for the audit trail. */
function download({ words, desk }: PageContext, runId: string): Markup {
  return (
    <details class="acts">
      <summary>{words.download}</summary>
      <form method="post" action={toPage`/mails/${runId}/original.zip`}>
        <p class="note">
          {words.downloadText} {words.downloadNoted}
        </p>
        {secretField({ desk })} {whyField(words)} <button>{words.download}</button>
      </form>
    </details>
  );
}

/** Returns the mail whose password opened something in this one. */
function otherMails(ledger: Ledger): Markup | null {
  const all = passwordsFrom(ledger);
  return all.length === 0 ? null : (
    <>
      {all.map((id) => (
        <a href={toPage`/mails/${id}`}>{referenceOf(id)}</a>
      ))}
    </>
  );
}
