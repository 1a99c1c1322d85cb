/** The tree of a message: each part with its type, its verdict, what becomes of it, and the row of the policy that decided. */
import type { Artifact } from '../pipeline/artifact.ts';
import { hashOf } from '../pipeline/artifact-id.ts';
import { fileOf, filesById } from '../pipeline/artifacts-of.ts';
import { pathsThatLoseLinks } from '../pipeline/blocked-urls.ts';
import type { Ledger, Part } from '../pipeline/ledger.ts';
import { code, section, sizeText } from '../service/server/report-page/elements.ts';
import { html, type Markup, NOTHING, plain, shown } from '../service/server/report-page/inert-text.ts';
import type { DeskWords } from './desk-words.ts';
import { attribute } from './form-values.ts';
import type { PageContext } from './layout.ts';
import { kindOf } from './part-sides.ts';
import { policyRow } from './policy-row.ts';
import { verdictBadge } from './verdict-badge.ts';

/** The page of a mail with 200 parts stays under 100 kB. */
const PARTS = 200;
const NAME_CHARS = 200;

/** The words for a part without a name. */
export const ROLE_WORDS: Readonly<Record<Part['role'], keyof DeskWords>> = {
  multipart: 'roleMultipart',
  message: 'roleMessage',
  body: 'roleBody',
  attachment: 'roleAttachment',
  member: 'roleMember',
};

/** The section. A part stands below the part or the container that it is in. */
export function partTree(context: PageContext, ledger: Ledger): Markup {
  const { words } = context;
  const files = filesById(ledger);
  const below = new Map<string | null, Part[]>();
  for (const part of ledger.parts.slice(0, PARTS)) {
    const over = part.container ?? part.parent;
    below.set(over, [...(below.get(over) ?? []), part]);
  }
  const withoutLinks = pathsThatLoseLinks(ledger);
  const branch = (parts: readonly Part[]): Markup => {
    const items = parts.map((part) => {
      const own = leaf(context, ledger.runId, part, fileOf(files, part), withoutLinks);
      const inside = below.get(part.path);
      return html`<li>${own}${inside === undefined ? NOTHING : branch(inside)}</li>`;
    });
    return html`<ul class="tree">${items}</ul>`;
  };
  const rest = ledger.parts.length - PARTS;
  return section(words.parts, branch(below.get(null) ?? []), rest > 0 ? html`<p class="more">+ ${rest}</p>` : NOTHING);
}

function leaf(
  { words, desk }: PageContext,
  runId: string,
  part: Part,
  artifact: Artifact | undefined,
  withoutLinks: ReadonlySet<string>,
): Markup {
  const name = part.untrustedNames[0];
  const title =
    name === undefined || name === '' ? html`<i>${words[ROLE_WORDS[part.role]]}</i>` : shown(name, NAME_CHARS);
  const type = html`<small>${plain(part.path)} · ${part.detectedType ?? part.declaredType} · ${sizeText(part.size)}</small>`;
  if (artifact === undefined) return html`${title} ${type}`;
  const what = part.disposition === null ? words.undecided : words[part.disposition];
  const row = policyRow(artifact);
  const isOther = part.disposition === 'disarm' && artifact.disposition === 'keep';
  const anew = isOther ? html` <small>${rewritten(words, part, withoutLinks)}</small>` : NOTHING;
  const isSeen = desk !== null && kindOf(part.typeGroup) !== null;
  const look = isSeen
    ? html` <a href="/mails/${{ markup: runId }}/parts/${attribute(part.path)}">${words.lookAt}</a>`
    : NOTHING;
  const decided = row === '' ? NOTHING : html`<br><small>${words.row} ${code(row)}</small>`;
  const hash = html`<br>${code(hashOf(artifact.id))}`;
  return html`${title} ${verdictBadge(words, artifact.verdict)} <b>${what}</b> ${type}${decided}${anew}${look}${hash}`;
}

/** Why a part changes of which the policy keeps the file. */
function rewritten(words: DeskWords, part: Part, withoutLinks: ReadonlySet<string>): string {
  if (withoutLinks.has(part.path)) return words.linkSwitchedOff;
  return part.role === 'body' ? words.textWrittenAnew : words.sentAsText;
}
