/**
 * Makes the clean message from the bytes of the original and the disarmed files, and checks it.
 *
 * Kept leaves are copied byte for byte. Every other leaf is replaced by its disarmed file or by a placeholder. The rebuilt message is then
 * read like any hostile message. Its leaves must be exactly those of the ledger, and every link in them must be judged and may stay.
 * Otherwise it throws RebuildMismatchError, and the message is quarantined.
 */

import { decodePart } from '../../message/encodings/decode-part.ts';
import type { MessageReading, Replacement, WarningCode } from '../../message/model.ts';
import { readMessage } from '../../message/reading/read.ts';
import { type HeaderChange, rebuildMessage } from '../../message/rebuilding/rebuild.ts';
import { intakeBytes } from '../chain/ledger-store.ts';
import { isOriginalReleased } from '../chain/release.ts';
import { withSealPlan } from '../chain/seal.ts';
import { type OpenedMail, readOpened } from '../contents/opened-mail.ts';
import type { CheckedContext, RebuildContext, StoreContext } from '../context.ts';
import { RebuildMismatchError } from '../errors.ts';
import { keptUrlIds } from '../judging/blocked-urls.ts';
import { disarmedFileOf } from '../judging/judge.ts';
import { linkReadingOf, linkReadingOfFile, linksNotKept } from '../judging/kept-links.ts';
import { keptName } from '../judging/kept-names.ts';
import { keys, sha256Hex } from '../keys.ts';
import { type UrlId, urlIdOf } from '../ledger/artifact-id.ts';
import { leavesOf } from '../ledger/artifacts-of.ts';
import { checkConservation } from '../ledger/conservation.ts';
import { isLeaf, type Ledger, type Part, type Warning } from '../ledger/ledger.ts';
import { inertText } from '../safe-text.ts';
import {
  brokenSignatures,
  opaqueSignatures,
  type ReadEmail,
  signaturesNotKept,
  wholeMessage,
  withoutSignatures,
} from '../signatures/parts.ts';
import { withoutUncoveredFiles } from '../signatures/signed-files.ts';
import { airlockHeaders } from './airlock-headers.ts';
import { announcementOf, bannerPlace, ownLinks, withBanner } from './banner.ts';
import { linkWordsFor } from './recipient-texts.ts';
import { type LeafSource, type Replaced, replacementFor } from './replacement.ts';
import { withoutUnsafeReturns } from './returned-files.ts';
import { secondHeaderFor } from './second-message.ts';
import { withoutFaultyContainers } from './written-anew.ts';

/**
 * Stores the message or file that a decided ledger delivers, and describes it. `settled` has the last word on omissions. Throws HeldError,
 * RebuildMismatchError.
 */
export async function composed(ctx: RebuildContext, ledger: Ledger, settled = (each: Ledger) => each): Promise<Ledger> {
  if (isOriginalReleased(ledger)) return store(ctx, ledger, await readOriginal(ctx, ledger));
  assertFollowsFiles(ledger);
  const { ledger: safe, rewritten } = await withoutUnsafeReturns(ctx, ledger);
  const checked: CheckedContext = { ...ctx, rewritten };
  const decided = settled(await withoutFaultyContainers(checked, safe));
  return decided.kind === 'file' ? rebuildFile(checked, decided) : rebuildEmail(checked, decided);
}

/** Checks the ledger again, after all checks of earlier stages: a part may only be delivered on the verdict on its own bytes. */
function assertFollowsFiles(ledger: Ledger): void {
  const [problem] = checkConservation(ledger, true);
  if (problem !== undefined) throw new RebuildMismatchError(`the ledger does not hold together: ${problem}`);
}

/** Returns the original, exactly as it was judged. */
async function readOriginal(ctx: StoreContext, ledger: Ledger): Promise<Uint8Array> {
  const original = await intakeBytes(ctx, ledger.intake);
  if (sha256Hex(original) !== ledger.sha256)
    throw new RebuildMismatchError('the intake object is not the one that was judged');
  return original;
}

async function rebuildFile(ctx: CheckedContext, ledger: Ledger): Promise<Ledger> {
  const [leaf] = leavesOf(ledger);
  if (leaf?.part.disposition === 'remove') throw new RebuildMismatchError('nothing of the file is left to deliver');
  if (!leaf) throw new RebuildMismatchError('the ledger has no part to deliver');
  const original = await readOriginal(ctx, ledger);
  const source: LeafSource = {
    ...leaf,
    message: null,
    linkReading: linkReadingOfFile(leaf.part),
    bytes: () => original,
  };
  const replaced = await replacementFor(ctx, ledger, source);
  const part = asDelivered(
    source,
    { disarmed: replaced, replaced, hasBanner: false },
    keptName(leaf.part.untrustedNames, leaf.artifact.extension),
  );
  const parts = ledger.parts.map((each) => (each === leaf.part ? part : each));
  return store(ctx, { ...ledger, parts }, replaced?.file.bytes ?? original);
}

interface Steps {
  readonly disarmed: Replaced | null;
  /** The same with our own words in it. */
  readonly replaced: Replaced | null;
  readonly hasBanner: boolean;
}

/** Returns the part with its form in the clean message. */
function asDelivered(leaf: LeafSource, steps: Steps, name: string | null): Part {
  const { part, artifact } = leaf;
  const { disarmed, replaced, hasBanner } = steps;
  const delivered = {
    ...contentOf(leaf, replaced),
    type: replaced?.file.type ?? part.detectedType ?? 'application/octet-stream',
    extension: replaced?.extension ?? artifact.extension,
    untrustedName: replaced ? replaced.file.filename : (name ?? part.untrustedNames[0] ?? null),
    hasOurWords: replaced !== disarmed,
    ...(hasBanner && { hasBanner: true as const }),
  };
  // A body is delivered as the text that was read, so its bytes may differ from the original.
  const disposition = part.disposition === 'keep' && disarmed !== null ? 'disarm' : part.disposition;
  return { ...part, disposition, delivered };
}

/**
 * Returns hash and size of the delivered form. An unchanged leaf has those of its reading, which was made of these very bytes. The rebuilt
 * message is read again, and must have them.
 */
function contentOf({ message, bytes }: LeafSource, replaced: Replaced | null): { sha256: string; size: number } {
  const read = message?.sha256 ?? null;
  if (replaced === null && message !== null && read !== null) return { sha256: read, size: message.size };
  const content = replaced?.file.bytes ?? bytes();
  return { sha256: sha256Hex(content), size: content.length };
}

async function rebuildEmail(ctx: CheckedContext, ledger: Ledger): Promise<Ledger> {
  const email = await readOriginal(ctx, ledger);
  const mail = await readOpened(email, ctx.limits, ledger.sha256);
  const { bytes: original, reading } = mail;
  assertSameLeaves(
    ledger.parts.filter(isLeaf).map((part) => part.sha256),
    reading,
    'the original, read again,',
  );
  const sources = new Map(reading.parts.map((part) => [part.path, part]));
  const replacements = new Map<string, Replacement>();
  const parts = new Map(ledger.parts.map((part) => [part.path, part]));
  const names = messageNames(reading);
  const isData: boolean[] = [];
  const disarmedLeaves: { readonly leaf: LeafSource; readonly disarmed: Replaced | null }[] = [];
  for (const { part, artifact } of leavesOf(ledger)) {
    const source = sources.get(part.path);
    if (!source) throw new RebuildMismatchError(`part ${part.path} is not in the original`);
    const linkReading = linkReadingOf(original, part);
    isData.push(linkReading.isData);
    const leaf: LeafSource = {
      part,
      artifact,
      message: source,
      linkReading,
      bytes: () => decodePart(original, source),
    };
    disarmedLeaves.push({ leaf, disarmed: await replacementFor(ctx, ledger, leaf) });
  }
  const changed = disarmedLeaves.flatMap(({ leaf, disarmed }) => (disarmed === null ? [] : [leaf.part.path]));
  const announcement = announcementOf(ctx.policy, ledger, reading.parts, changed);
  for (const { leaf, disarmed } of disarmedLeaves) {
    const { part, artifact } = leaf;
    const replaced = withBanner(announcement, leaf, disarmed);
    if (replaced) replacements.set(part.path, replaced.file);
    if (replaced) await keep(ctx, leaf, replaced);
    const name = part.role === 'attachment' ? keptName(leaf.message?.untrustedNames ?? [], artifact.extension) : null;
    if (name !== null) names.set(part.path, name);
    const hasBanner = bannerPlace(announcement, leaf) !== null;
    parts.set(part.path, asDelivered(leaf, { disarmed, replaced, hasBanner }, name));
  }
  const decided: Ledger = { ...ledger, parts: [...parts.values()] };
  const left = { isData, keptIds: keptUrlIds(decided), ownIds: () => ownLinks(announcement, ctx.limits) };
  return rebuildSigned(ctx, decided, mail, { before: ledger, replacements, names, left });
}

/** The decisions about the leaves. */
interface LeafPlan {
  /** The ledger before any leaf was written. */
  readonly before: Ledger;
  readonly replacements: Map<string, Replacement>;
  readonly names: ReadonlyMap<string, string>;
  readonly left: LeftLinks;
}

/** The links that may be found in the rebuilt message. */
interface LeftLinks {
  /** For each leaf, whether it is delivered as a file of data. */
  readonly isData: readonly boolean[];
  /** The kept links of the sender. */
  readonly keptIds: ReadonlySet<UrlId>;
  /** Returns the links in our own words. It searches a page for them, so it is only asked about a link that is not kept. */
  readonly ownIds: () => readonly UrlId[];
}

/**
 * Writes the message. Writes it again without each signature whose signed content changed. Every round removes at least one signature, and
 * the files that stayed because of it. An unchanged opaque-signed message is delivered as its original file.
 */
async function rebuildSigned(
  ctx: CheckedContext,
  ledger: Ledger,
  original: OpenedMail,
  { before, replacements, names, left }: LeafPlan,
): Promise<Ledger> {
  const kept = keptUrlIds(ledger);
  const links = {
    isBlocked: (url: string) => !kept.has(urlIdOf(url)),
    limits: ctx.limits,
    words: linkWordsFor(ctx.policy, ledger),
  };
  const trustedServers = ctx.policy.authentication.servers;
  let decided = withoutSignatures(ledger, signaturesNotKept(ledger), replacements);
  for (;;) {
    const second = secondHeaderFor(ctx.policy, decided);
    const plan = { replacements, names, links, headers: airlockHeaders(decided), trustedServers, second };
    const { bytes, changes } = rebuildMessage(original.bytes, original.reading, plan);
    const rebuilt = { bytes, reading: await readMessage(bytes, ctx.limits) };
    const broken = brokenSignatures(decided, original, rebuilt);
    const opaque = broken.length === 0 ? opaqueSignatures(decided) : [];
    const whole = opaque.length === 0 ? null : await wholeMessage(original, ctx.limits, plan);
    if (broken.length === 0 && (opaque.length === 0 || whole !== null)) {
      await verify(ctx, decided, whole ?? rebuilt, left);
      const told = { ...decided, warnings: withHeaderChanges(decided.warnings, changes) };
      const stored = await store(ctx, told, whole?.email ?? bytes);
      return withSealPlan(ctx, stored, whole?.signed ? { bytes: whole.email, reading: whole.signed.reading } : rebuilt);
    }
    decided = withoutSignatures(decided, [...broken, ...opaque], replacements);
    const stricter = withoutUncoveredFiles(ctx.policy, { ...before, signatures: decided.signatures });
    if (stricter !== null) return rebuildEmail(ctx, stricter);
  }
}

/** Checks messages inside the message. They have no own artifact, so only their names could do harm. */
function messageNames({ parts }: MessageReading): Map<string, string> {
  return new Map(
    parts.flatMap(({ path, role, untrustedNames }) => {
      const name = role === 'message' ? keptName(untrustedNames, 'eml') : null;
      return name === null ? [] : [[path, name] as const];
    }),
  );
}

const CODE = 'header_removed' satisfies WarningCode;

/** Warns once, although the stage may run twice. The message is already decided, so this warning does not quarantine it. */
function withHeaderChanges(warnings: readonly Warning[], changes: readonly HeaderChange[]): Warning[] {
  const told = changes.map(({ path, leftOut, rewritten }): Warning => {
    const detail = `header fields that were left out: ${leftOut}, written anew: ${rewritten}`;
    return { code: CODE, path, detail };
  });
  return [...warnings.filter(({ code }) => code !== CODE), ...told.slice(0, MAX_WARNINGS)];
}

/** The most warnings that are listed. A message may have a thousand odd parts. */
const MAX_WARNINGS = 20;

/**
 * Stores the bytes of a rewritten attachment with the disarmed ones, because it is also delivered as a separate file. The file that the
 * service returned is there already: these bytes were read from it.
 */
async function keep(ctx: StoreContext, { part, artifact }: LeafSource, { file }: Replaced): Promise<void> {
  if (part.disposition === 'remove' || part.role !== 'attachment') return;
  const sha256 = sha256Hex(file.bytes);
  if (artifact.disposition === 'disarm' && disarmedFileOf(artifact)?.sha256 === sha256) return;
  await ctx.blobs.put('work', keys.disarmed(sha256), file.bytes);
}

async function verify(
  ctx: StoreContext,
  ledger: Ledger,
  { bytes, reading }: ReadEmail,
  links: LeftLinks,
): Promise<void> {
  const expected = ledger.parts.filter(isLeaf).map((part) => part.delivered?.sha256 ?? null);
  assertSameLeaves(expected, reading, 'the rebuilt message, read again,');
  if (reading.repairs.length > 0)
    throw new RebuildMismatchError('the rebuilt message ends before its closing boundary');
  const others = await linksNotKept(ctx.limits, reading, bytes, links);
  const own = new Set(others.length === 0 ? [] : links.ownIds());
  const left = others.filter((url) => !own.has(urlIdOf(url)));
  if (left.length > 0)
    throw new RebuildMismatchError(
      `the rebuilt message has ${left.length} links that were not judged or may not stay: ${inertText(left.join(' '), 300)}`,
    );
}

function assertSameLeaves(expected: readonly (string | null)[], reading: MessageReading, what: string): void {
  const found = reading.parts.filter((part) => part.sha256 !== null).map((part) => part.sha256);
  // With only one reading, we would not notice that a program sees other parts.
  const disagrees = reading.warnings.some(({ code }) => code === 'readings_disagree' || code === 'reading_skipped');
  if (disagrees || found.length !== expected.length || found.some((sha256, index) => sha256 !== expected[index]))
    throw new RebuildMismatchError(`${what} does not have the ${expected.length} parts that the ledger names`);
}

async function store(ctx: StoreContext, ledger: Ledger, bytes: Uint8Array): Promise<Ledger> {
  const sha256 = sha256Hex(bytes);
  await ctx.blobs.put('work', keys.rebuilt(ledger.runId, sha256), bytes);
  return { ...ledger, rebuilt: { sha256, size: bytes.length } };
}
