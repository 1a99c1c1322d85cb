/** @jsxRuntime automatic @jsxImportSource #markup */
/**
 * The page of a recipient: the changes to one message to the recipient, and a form to request it. Nothing of the message itself is on it.
 */

import { fileOf, filesById } from '../../pipeline/ledger/artifacts-of.ts';
import { isLeaf, type Ledger, type Part } from '../../pipeline/ledger/ledger.ts';
import { whyHeld, whyRemoved } from '../../pipeline/rebuilding/recipient-texts.ts';
import type { Ask } from '../../pipeline/review/ask.ts';
import { MAX_ASK_LENGTH } from '../../pipeline/review/ask.ts';
import { documentText, type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { ownAddress, ownText, titleText } from '../../service/server/markup/values.ts';
import { facts, section, table } from '../../service/server/report-page/elements.tsx';
import { filled, wordsIn } from '../../words/in-language.ts';
import type { Language, Words } from '../../words/words.ts';
import { cameInAt } from '../arrival-time.ts';
import { STYLE_PATH } from '../layout.tsx';

export interface RecipientContents {
  readonly language: Language;
  readonly ledger: Ledger;
  /** The earlier request of this recipient; null when there is none. */
  readonly ask: Ask | null;
  /** The address of this page, and the secret in its form. */
  readonly path: string;
  readonly formSecret: string;
}

const FILES = 50;
const TEXT_CHARS = 200;

/** Makes the page. */
export function recipientPage(contents: RecipientContents): string {
  const { language, ledger } = contents;
  const words = wordsIn(language);
  const { own } = words;
  const state = ledger.terminal?.state ?? 'running';
  const held = ledger.early === undefined ? own.held : words.second.withheldLead;
  const sentence = { quarantined: held, delivered: own.delivered, deleted: own.deleted, running: own.running }[state];
  return frame(
    language,
    <header class={`verdict ${state}`}>
      <p class="brand">Mail Airlock</p>
      <h1>{sentence}</h1>
      {state === 'quarantined' ? whyHeld(language, ledger).map((why) => <p>{why}</p>) : NOTHING}
    </header>,
    about(words, ledger),
    section(own.content, files(language, words, ledger)),
    state === 'quarantined' ? askForm(words, contents) : NOTHING,
  );
}

/** Returns a page with one sentence. */
export function recipientNote(language: Language, sentence: string): string {
  return frame(
    language,
    <section>
      <h1>{sentence}</h1>
    </section>,
  );
}

function frame(language: Language, ...content: readonly Markup[]): string {
  return documentText(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content={ownText('width=device-width, initial-scale=1')} />
        <meta name="robots" content={ownText('noindex')} />
        <title>{titleText(`${wordsIn(language).own.title} · Mail Airlock`, TEXT_CHARS)}</title>
        <link rel="stylesheet" href={ownAddress(STYLE_PATH)} />
      </head>
      <body>
        <main>{content}</main>
      </body>
    </html>,
  );
}

function about({ own, notice }: Words, ledger: Ledger): Markup {
  const { message } = ledger;
  const text = (untrusted: string | undefined) => (untrusted ? shown(untrusted, TEXT_CHARS) : null);
  return section(
    own.title,
    facts([
      [notice.labels.from, text(message?.untrustedFrom)],
      [notice.labels.subject, text(message?.untrustedSubject)],
      [notice.labels.date, cameInAt(ledger)],
    ]),
  );
}

/** Returns the files of the message in common words, and why one of them is removed. */
function files(language: Language, words: Words, ledger: Ledger): Markup {
  const byId = filesById(ledger);
  const { labels, kinds, noName } = words.page;
  const leaves = ledger.parts.filter((part) => isLeaf(part) && part.role === 'attachment');
  const rows = leaves.map((part) => {
    const artifact = fileOf(byId, part);
    const why = artifact?.disposition === 'remove' ? whyRemoved(language, artifact, 'file') : becomes(words, part);
    const name = part.untrustedNames[0];
    return [name ? shown(name, TEXT_CHARS) : noName, kindOf(kinds, part), why];
  });
  const rest = rows.length - FILES;
  return (
    <>
      {table([labels.name, labels.what, words.own.becomes], rows.slice(0, FILES), FILES)}
      {rest > 0 ? <p class="more">+ {rest}</p> : NOTHING}
    </>
  );
}

function becomes({ own }: Words, { disposition }: Part): string {
  if (disposition === null) return '';
  return { keep: own.kept, disarm: own.madeSafe, remove: own.withheld }[disposition];
}

const kindOf = (kinds: Words['page']['kinds'], { typeGroup }: Part): string =>
  typeGroup === null || typeGroup === 'url' ? kinds.other : kinds[typeGroup];

function askForm({ own }: Words, { ask, path, formSecret }: RecipientContents): Markup {
  if (ask !== null)
    return section(own.askTitle, <p role="status">{filled(own.asked, { day: ask.at.slice(0, 10) })}</p>);
  return section(
    own.askTitle,
    <form method="post" action={ownAddress(path)}>
      <input type="hidden" name="form" value={titleText(formSecret, 100)} />
      <p class="note">{own.askText}</p>
      <label>
        {own.askWhy}
        <input name="why" maxlength={MAX_ASK_LENGTH} />
      </label>
      <p>
        <button>{own.askButton}</button>
      </p>
    </form>,
  );
}
