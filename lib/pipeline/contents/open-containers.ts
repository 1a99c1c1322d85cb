/**
 * Opens every container of a message, and the containers inside them, under one budget. It works breadth first, so that the words
 * beside an archive, which may contain its password, are read before the archive is opened.
 */
import type { Unpack } from '../../formats/archives/unpacking.ts';
import { decodeText } from '../../formats/charsets/decode-text.ts';
import { remembered } from '../../formats/remembered.ts';
import { runAsync } from '../../formats/steps.ts';
import { createBudget } from '../../message/containers/budget.ts';
import {
  type Budget,
  type Candidate,
  type Container,
  type Opened,
  opened,
} from '../../message/containers/container.ts';
import { containerOf } from '../../message/containers/containers.ts';
import { passwordCandidates, plainTextOf } from '../../message/containers/passwords.ts';
import type { WarningCode } from '../../message/model.ts';
import type { ParseContext } from '../context.ts';
import type { Opening } from '../ledger/artifact.ts';
import type { FileId } from '../ledger/artifact-id.ts';
import { MEMBER_MARK, type Warning } from '../ledger/ledger.ts';
import { type Leaf, leafOfMemberSteps, openingOf, unopened } from './leaves.ts';
import { type OtherMailPasswords, PASSWORD_TEXT_BYTES } from './other-mail-passwords.ts';
import { meterWork } from './work-meter.ts';

export interface OpenedContainers {
  /** The given leaves. The members found in each follow it. */
  readonly leaves: readonly Leaf[];
  /** The openings by the id of the container. Equal content is opened once. */
  readonly openings: ReadonlyMap<FileId, Opening>;
  readonly warnings: readonly Warning[];
}

interface State {
  readonly ctx: ParseContext;
  readonly budget: Budget;
  readonly unpack: Unpack;
  readonly openings: Map<FileId, Opening>;
  readonly warnings: Warning[];
  readonly members: Map<string, Leaf[]>;
  /** Texts that may hold passwords, the newest last. They are decoded for the first archive, because most mails have none. */
  readonly texts: (() => string)[];
  readonly names: string[];
  /** Passwords that opened something in this message. */
  readonly worked: string[];
  /** Candidates from other mail. */
  readonly otherPasswords: OtherMailPasswords;
}

const NO_PASSWORDS: OtherMailPasswords = new Map();

interface Queued {
  readonly leaf: Leaf;
  /** The ids of the containers around it. */
  readonly around: readonly FileId[];
}

/** Opens all containers that can be opened. Throws no error of its own: a container that stays closed gets an outcome and a warning. */
export async function openContainers(
  ctx: ParseContext,
  leaves: readonly Leaf[],
  untrustedSubject: string,
  otherPasswords: OtherMailPasswords = NO_PASSWORDS,
): Promise<OpenedContainers> {
  const { usedMs, unpack } = meterWork(ctx);
  const passwordTries = ctx.limits.passwordTries + otherPasswords.size;
  const state: State = {
    ctx,
    budget: createBudget({ ...ctx.limits, passwordTries }, usedMs),
    unpack,
    openings: new Map(),
    warnings: [],
    members: new Map(),
    texts: [() => untrustedSubject],
    names: [],
    worked: [],
    otherPasswords,
  };
  const queue: Queued[] = leaves.map((leaf) => ({ leaf, around: [] }));
  for (const { leaf } of queue) learn(state, leaf);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) queue.push(...(await openOne(state, next)));
  return { leaves: leaves.flatMap((leaf) => inOrder(state, leaf)), openings: state.openings, warnings: state.warnings };
}

function inOrder(state: State, leaf: Leaf): Leaf[] {
  return [leaf, ...(state.members.get(leaf.part.path) ?? []).flatMap((member) => inOrder(state, member))];
}

/** Remembers a text or a name beside an archive. */
function learn({ texts, names }: State, { part, bytes, charset }: Leaf): void {
  names.push(...part.untrustedNames);
  if (bytes === null || bytes.length > PASSWORD_TEXT_BYTES) return;
  if (part.typeGroup === 'html') texts.push(once(() => plainTextOf(decodeText(bytes, charset))));
  else if (part.typeGroup === 'text') texts.push(once(() => decodeText(bytes, charset)));
}

function once(work: () => string): () => string {
  let text: string | null = null;
  return () => {
    text ??= work();
    return text;
  };
}

async function openOne(state: State, { leaf, around }: Queued): Promise<Queued[]> {
  const { part, file } = leaf;
  const candidate = candidateOf(leaf);
  if (candidate === null || file === null) return [];
  const { id } = file;
  if (around.includes(id)) {
    note(
      state,
      leaf,
      id,
      unopened(state.openings.get(id)?.as ?? 'zip', 'over_budget', 'an archive that contains itself'),
    );
    return [];
  }
  if (state.openings.has(id)) return [];
  const container = containerOnce({ candidate, id });
  if (container === null) return [];
  const result = await open(state, container, candidate, around.length);
  note(state, leaf, id, { ...openingOf(container.name, result), ...otherMailOf(state, candidate, result) });
  const found: Leaf[] = [];
  for (const member of result.members) found.push(await runAsync(leafOfMemberSteps(part, member)));
  takeIn(state, leaf, result, found);
  return found.map((member) => ({ leaf: member, around: [...around, id] }));
}

/** Many mails have the same text, picture or file, and every kind of container looks at the bytes of each. */
const REMEMBERED = 200;
/** A file with more characters in its names is looked at each time, because an attacker may write megabytes of them. */
const REMEMBERED_LENGTH = 400;

const containerOnce = remembered<{ readonly candidate: Candidate; readonly id: FileId }, Container | null>(
  {
    most: REMEMBERED,
    keyOf: ({ candidate: { bytes: _, ...facts }, id }) => {
      const said = JSON.stringify(facts);
      return said.length > REMEMBERED_LENGTH ? null : `${id} ${said}`;
    },
  },
  ({ candidate }) => containerOf(candidate),
);

function candidateOf({ part, bytes, wasRead }: Leaf): Candidate | null {
  if (bytes === null || part.detectedType === null) return null;
  const { untrustedNames, declaredType, detectedType, role, depth } = part;
  // The text of a nested message is a body, too. An archive only contains files.
  const isText = role === 'body' || (role === 'member' && untrustedNames.length === 0 && detectedType === 'text/plain');
  return { bytes, untrustedNames, declaredType, detectedType, role: isText ? 'body' : 'attachment', wasRead, depth };
}

async function open(state: State, container: Container, candidate: Candidate, depth: number): Promise<Opened> {
  const { ctx, budget, unpack } = state;
  if (depth >= ctx.limits.containerDepth)
    return opened({ outcome: 'over_budget', detail: 'containers nested too deeply' });
  const { members, bytes, workMs } = budget.allowance();
  if (members === 0 || bytes === 0 || workMs === 0)
    return opened({
      outcome: 'over_budget',
      detail: 'the containers before it reached the limits for one message',
    });
  const context = {
    budget,
    get passwords() {
      return [
        ...new Set([...state.worked, ...inTurn([...state.otherPasswords.keys()], ownCandidates(state, candidate))]),
      ];
    },
    unpack,
    readingLimits: ctx.limits,
  };
  // We know of no content on which an opener throws. After any other fault the container stays closed, with an outcome that says so.
  return container
    .open(candidate, context)
    .catch(() => opened({ outcome: 'damaged', detail: 'a container that its reader failed on' }));
}

/** Passwords that the message itself tells. */
function ownCandidates({ ctx, texts, names }: State, { untrustedNames }: Candidate): string[] {
  const sources = { texts: texts.toReversed().map((text) => text()), names: [...untrustedNames, ...names] };
  return passwordCandidates(sources, ctx.limits.passwordTries);
}

/** Mixes two lists of passwords, the likeliest of each first, because one try may take a second. */
function inTurn(one: readonly string[], other: readonly string[]): string[] {
  const places = Array.from({ length: Math.max(one.length, other.length) }, (_, place) => place);
  return places.flatMap((place) => [one[place] ?? [], other[place] ?? []].flat());
}

/** Returns the other mail that tells the password, unless the message tells it itself. */
function otherMailOf(state: State, candidate: Candidate, { untrustedPassword }: Opened): Pick<Opening, 'passwordFrom'> {
  const runId = untrustedPassword === null ? undefined : state.otherPasswords.get(untrustedPassword);
  const isOwn = runId === undefined || ownCandidates(state, candidate).includes(untrustedPassword as string);
  return isOwn ? {} : { passwordFrom: runId };
}

function takeIn(state: State, { part }: Leaf, result: Opened, found: readonly Leaf[]): void {
  state.budget.spend(result.members);
  state.members.set(part.path, [...found]);
  for (const { code, path, detail } of result.warnings)
    state.warnings.push({ code, path: path === null ? part.path : `${part.path}${MEMBER_MARK}${path}`, detail });
  for (const text of result.untrustedTexts) state.texts.push(() => text);
  for (const leaf of found) learn(state, leaf);
  const password = result.untrustedPassword;
  if (password !== null && !state.worked.includes(password)) state.worked.unshift(password);
}

const WARNING_OF: Readonly<Record<Opening['outcome'], WarningCode | null>> = {
  opened: null,
  encrypted: 'container_encrypted',
  damaged: 'container_damaged',
  over_budget: 'container_over_budget',
  unsupported: 'container_unsupported',
};

function note(state: State, { part }: Leaf, id: FileId, opening: Opening): void {
  state.openings.set(id, opening);
  const code = WARNING_OF[opening.outcome];
  if (code !== null) state.warnings.push({ code, path: part.path, detail: opening.detail });
}
