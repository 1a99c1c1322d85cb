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
import { fitting } from '../pages/weight.ts';
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

/** Returns the section with the parts of a mail, each below its parent or container. Parts have fewer words when they are many. */
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

function leaf(context: PageContext, about: About): Markup {
  const { part, artifact, isShort } = about;
  const type = (
    <small>
      {plain(part.path)} · {part.detectedType ?? part.declaredType} · {sizeText(part.size)}
    </small>
  );
  const title = titleOf(context, about);
  if (artifact === undefined)
    return (
      <>
        {title} {type}
      </>
    );
  return (isShort ? shortLeaf : wholeLeaf)(context, { ...about, artifact, title, type });
}

function titleOf({ words }: PageContext, { part, isShort }: About): Markup {
  const name = part.untrustedNames[0];
  if (name === undefined || name === '') return <i>{words[ROLE_WORDS[part.role]]}</i>;
  return shown(name, isShort ? SHORT_NAME_CHARS : NAME_CHARS);
}

/** A part with its file. */
interface FileLeaf extends About {
  readonly artifact: Artifact;
  readonly title: Markup;
  readonly type: Markup;
}

function shortLeaf(context: PageContext, { runId, part, artifact, title, type }: FileLeaf): Markup {
  const { words } = context;
  const row = policyRow(artifact);
  // The row ends with the result of the file.
  const isTold = row !== '' && !isRewritten(part, artifact);
  return (
    <>
      {isSeen(context, part) ? pageOfPart(runId, part, title) : title} {verdictBadge(words, artifact.verdict)}
      {isTold ? (
        NOTHING
      ) : (
        <>
          {' '}
          <b>{dispositionWord(words, part)}</b>
        </>
      )}{' '}
      {type}
      <br />
      {row === '' ? NOTHING : <>{code(row)} </>}
      {code(hashOf(artifact.id))}
    </>
  );
}

function wholeLeaf(context: PageContext, { runId, part, artifact, title, type, withoutLinks }: FileLeaf): Markup {
  const { words } = context;
  return (
    <>
      {title} {verdictBadge(words, artifact.verdict)} <b>{dispositionWord(words, part)}</b> {type}
      {decidedBy(words, artifact)}
      {isRewritten(part, artifact) ? (
        <>
          {' '}
          <small>{rewritten(words, part, withoutLinks)}</small>
        </>
      ) : (
        NOTHING
      )}
      {isSeen(context, part) ? <> {pageOfPart(runId, part, shown(words.lookAt))}</> : NOTHING}
      <br />
      {code(hashOf(artifact.id))}
    </>
  );
}

function decidedBy(words: DeskWords, artifact: Artifact): Markup {
  const row = policyRow(artifact);
  if (row === '') return NOTHING;
  return (
    <>
      <br />
      <small>
        {words.row} {code(row)}
      </small>
    </>
  );
}

const dispositionWord = (words: DeskWords, { disposition }: Part): string =>
  disposition === null ? words.undecided : words[disposition];

/** Returns true when a part changes although the policy keeps its file. */
const isRewritten = (part: Part, artifact: Artifact): boolean =>
  part.disposition === 'disarm' && artifact.disposition === 'keep';

/** Returns true when the part has a page of its own. */
const isSeen = ({ desk }: PageContext, { typeGroup }: Part): boolean => desk !== null && kindOf(typeGroup) !== null;

const pageOfPart = (runId: string, { path }: Part, text: Markup): Markup => (
  <a href={toPage`/mails/${runId}/parts/${path}`}>{text}</a>
);

/** Returns why a part changes although the policy keeps its file. */
function rewritten(words: DeskWords, part: Part, withoutLinks: ReadonlySet<string>): string {
  if (withoutLinks.has(part.path)) return words.linkSwitchedOff;
  return part.role === 'body' ? words.textWrittenAnew : words.sentAsText;
}
