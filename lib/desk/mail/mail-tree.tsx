/** @jsxRuntime automatic @jsxImportSource #markup */
/** The tree of a message: each part with its type, its verdict, its result, and the row of the policy that decided. */

import { pathsThatLoseLinks } from '../../pipeline/judging/blocked-urls.ts';
import type { Artifact } from '../../pipeline/ledger/artifact.ts';
import { hashOf } from '../../pipeline/ledger/artifact-id.ts';
import { fileOf, filesById } from '../../pipeline/ledger/artifacts-of.ts';
import type { Ledger, Part } from '../../pipeline/ledger/ledger.ts';
import { type Markup, NOTHING, plain, shown } from '../../service/server/markup/jsx-runtime.ts';
import { toPage } from '../../service/server/markup/values.ts';
import { code, section, sizeText } from '../../service/server/report-page/elements.tsx';
import type { DeskWords } from '../desk-words.ts';
import type { PageContext } from '../layout.tsx';
import { fitting } from '../pages/page-weight.ts';
import { policyRow } from '../policy-row.ts';
import { verdictBadge } from '../verdict-badge.ts';
import { kindOf } from './part-sides.ts';

const PARTS = 200;
const [NAME_CHARS, SHORT_NAME_CHARS] = [200, 40];

/** The words for a part without a name. */
export const ROLE_WORDS: Readonly<Record<Part['role'], keyof DeskWords>> = {
  multipart: 'roleMultipart',
  message: 'roleMessage',
  body: 'roleBody',
  attachment: 'roleAttachment',
  member: 'roleMember',
};

/** Returns the section. A part is below its parent part or container. Where there is little room, parts have fewer words. */
export function partTree(context: PageContext, ledger: Ledger, bytes = Number.POSITIVE_INFINITY): Markup {
  const { words } = context;
  const leaves = leavesOf(context, ledger, bytes);
  const below = new Map<string | null, Leaf[]>();
  for (const each of leaves) {
    const over = each.part.container ?? each.part.parent;
    below.set(over, [...(below.get(over) ?? []), each]);
  }
  const branch = (parts: readonly Leaf[]): Markup => {
    const items = parts.map(({ part, own }) => {
      const inside = below.get(part.path);
      return (
        <li>
          {own}
          {inside === undefined ? NOTHING : branch(inside)}
        </li>
      );
    });
    return <ul class="tree">{items}</ul>;
  };
  const rest = ledger.parts.length - leaves.length;
  return section(words.parts, branch(below.get(null) ?? []), rest > 0 ? <p class="more">+ {rest}</p> : NOTHING);
}

interface Leaf {
  readonly part: Part;
  readonly own: Markup;
}

/** The container of a leaf. */
const ITEM_BYTES = '<li></li>\n'.length;

/** Returns as many parts as there is room for, each behind its parent. */
function leavesOf(context: PageContext, ledger: Ledger, bytes: number): Leaf[] {
  const files = filesById(ledger);
  const withoutLinks = pathsThatLoseLinks(ledger);
  const made = (isShort: boolean) =>
    ledger.parts.slice(0, PARTS).map((part) => {
      const about = { runId: ledger.runId, part, artifact: fileOf(files, part), withoutLinks, isShort };
      return { part, own: leaf(context, about) };
    });
  const fits = (leaves: readonly Leaf[]) => fitting(leaves, ({ own }) => own, bytes - ITEM_BYTES * leaves.length);
  const whole = made(false);
  if (fits(whole) === whole.length) return whole;
  const short = made(true);
  return short.slice(0, fits(short));
}

interface About {
  readonly runId: string;
  readonly part: Part;
  readonly artifact: Artifact | undefined;
  readonly withoutLinks: ReadonlySet<string>;
  /** Without the words that each part has. */
  readonly isShort: boolean;
}

function leaf({ words, desk }: PageContext, { runId, part, artifact, withoutLinks, isShort }: About): Markup {
  const name = part.untrustedNames[0];
  const title =
    name === undefined || name === '' ? (
      <i>{words[ROLE_WORDS[part.role]]}</i>
    ) : (
      shown(name, isShort ? SHORT_NAME_CHARS : NAME_CHARS)
    );
  const type = (
    <small>
      {plain(part.path)} · {part.detectedType ?? part.declaredType} · {sizeText(part.size)}
    </small>
  );
  if (artifact === undefined)
    return (
      <>
        {title} {type}
      </>
    );
  const what = part.disposition === null ? words.undecided : words[part.disposition];
  const row = policyRow(artifact);
  const isOther = part.disposition === 'disarm' && artifact.disposition === 'keep';
  const anew = isOther ? (
    <>
      {' '}
      <small>{rewritten(words, part, withoutLinks)}</small>
    </>
  ) : (
    NOTHING
  );
  const isSeen = desk !== null && kindOf(part.typeGroup) !== null;
  const page = (text: Markup) => <a href={toPage`/mails/${runId}/parts/${part.path}`}>{text}</a>;
  // The row ends with the result of the file.
  const said =
    row === '' || isOther ? (
      <>
        {' '}
        <b>{what}</b>
      </>
    ) : (
      NOTHING
    );
  if (isShort)
    return (
      <>
        {isSeen ? page(title) : title} {verdictBadge(words, artifact.verdict)}
        {said} {type}
        <br />
        {row === '' ? NOTHING : <>{code(row)} </>}
        {code(hashOf(artifact.id))}
      </>
    );
  const look = isSeen ? <> {page(shown(words.lookAt))}</> : NOTHING;
  const decided =
    row === '' ? (
      NOTHING
    ) : (
      <>
        <br />
        <small>
          {words.row} {code(row)}
        </small>
      </>
    );
  const hash = (
    <>
      <br />
      {code(hashOf(artifact.id))}
    </>
  );
  return (
    <>
      {title} {verdictBadge(words, artifact.verdict)} <b>{what}</b> {type}
      {decided}
      {anew}
      {look}
      {hash}
    </>
  );
}

/** Returns why a part changes although the policy keeps its file. */
function rewritten(words: DeskWords, part: Part, withoutLinks: ReadonlySet<string>): string {
  if (withoutLinks.has(part.path)) return words.linkSwitchedOff;
  return part.role === 'body' ? words.textWrittenAnew : words.sentAsText;
}
