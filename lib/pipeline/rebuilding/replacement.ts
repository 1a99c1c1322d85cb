/** The replacement of one leaf: its disarmed file, its text without blocked links, or a placeholder. */
import { isUtf8 } from 'node:buffer';
import { decodeText } from '../../formats/charsets/decode-text.ts';
import { deliveredText } from '../../formats/charsets/stained-text.ts';
import { isDeclaredPlain } from '../../formats/detection/file-declared.ts';
import type { FileType as FoundType } from '../../formats/detection/file-magic.ts';
import { extensionsOf, isUnknownName } from '../../formats/detection/file-names.ts';
import { identifyFile } from '../../formats/detection/file-type.ts';
import { deliveredTypeOf, extensionsOfType, isFileType } from '../../formats/file-types.ts';
import { isSourceName } from '../../formats/names/source-names.ts';
import { remembered } from '../../formats/remembered.ts';
import { unflowed } from '../../message/encodings/flowed.ts';
import type { MessagePart, Replacement } from '../../message/model.ts';
import { isReadAlike, judgedText } from '../../message/reading/one-reading.ts';
import { withPictures } from '../../message/urls/html/held-pictures.ts';
import type { CheckedContext, DecideContext, StoreContext } from '../context.ts';
import { RebuildMismatchError } from '../errors.ts';
import { isTable, isWebArchive, keptUrlIds } from '../judging/blocked-urls.ts';
import { disarmedFileOf } from '../judging/judge.ts';
import { type LinkReading, withKeptLinksOnly } from '../judging/kept-links.ts';
import { keys, sha256Hex } from '../keys.ts';
import type { Artifact, FileArtifact } from '../ledger/artifact.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import { linksOf } from '../ledger/artifacts-of.ts';
import type { Ledger, Part } from '../ledger/ledger.ts';
import type { TypeGroup } from '../model.ts';
import { safeFileName } from '../safe-text.ts';
import { placeholderFor } from './placeholder.ts';
import { linkWordsFor, pictureNoteFor } from './recipient-texts.ts';

export interface Replaced {
  readonly file: Replacement;
  /** From the closed list. The delivered file gets this extension. */
  readonly extension: string;
}

export interface LeafSource {
  readonly part: Part;
  readonly artifact: FileArtifact;
  /** The part as the reader saw it; null for a bare file. */
  readonly message: MessagePart | null;
  readonly linkReading: LinkReading;
  readonly bytes: () => Uint8Array;
}

/**
 * Returns the replacement of a leaf, or null when its bytes stay. Throws RebuildMismatchError when the disarmed file differs from the
 * ledger.
 */
export async function replacementFor(ctx: CheckedContext, ledger: Ledger, leaf: LeafSource): Promise<Replaced | null> {
  const { disposition } = leaf.part;
  if (disposition === 'keep') return inOneReadingOf(leaf) ?? underTextName(leaf);
  if (disposition !== 'disarm') return placeholder(ctx, ledger, leaf);
  const disarmed = leaf.artifact.disposition === 'disarm' ? await readDisarmed(ctx, leaf.artifact) : null;
  const bytes = disarmed ?? leaf.bytes();
  const typeGroup = isWebArchive(leaf.artifact) ? 'html' : leaf.artifact.typeGroup;
  const isCode = typeGroup === 'script';
  const isData = typeGroup === 'data' && isTable(leaf.part);
  if (typeGroup !== 'html' && typeGroup !== 'text' && !isCode && !isData) return asFile(leaf, bytes);
  // A disarmed text is UTF-8; the original, code, and a table are in the charset that the part declares.
  const isWritten = disarmed !== null && !isCode && !isData;
  const text = isWritten ? decodeText(bytes, 'utf-8') : judgedText(bytes, labelOf(leaf));
  const shown = isWritten && typeGroup === 'html' ? withPicturesChosen(ctx, ledger, leaf, text) : text;
  // Links are removed last: in the addresses of the shown pictures, and in the texts of the others.
  const unlinked = withoutLinks(ctx, ledger, leaf, { text: shown, typeGroup });
  const isAsWritten = unlinked === null && (isWritten || isData) && shown === text;
  const written = unlinked ?? new TextEncoder().encode(shown);
  return asFile(leaf, isAsWritten ? bytes : asUtf8(leaf, written, typeGroup), typeGroup);
}

const labelOf = ({ part, message }: LeafSource) => ({
  charset: message?.charset ?? null,
  isPage: part.typeGroup === 'html',
});

/** Many mails have the same text. */
const REMEMBERED = 200;

const isReadAlikeOnce = remembered<LeafSource, boolean>(
  {
    most: REMEMBERED,
    keyOf: (leaf) => {
      const sha256 = leaf.message?.sha256 ?? null;
      return sha256 && JSON.stringify([sha256, labelOf(leaf)]);
    },
  },
  (leaf) => isReadAlike(leaf.bytes(), labelOf(leaf)),
);

/** Most files of text have no control bytes, and need not be decoded for that. */
const isStainedOnce = remembered<LeafSource, boolean>(
  { most: REMEMBERED, keyOf: (leaf) => leaf.message?.sha256 ?? null },
  (leaf) => deliveredText(leaf.bytes()) !== null,
);

/** Returns the replacement of a kept body whose bytes some programs read as another text: the judged text. Otherwise null. */
function inOneReadingOf(leaf: LeafSource): Replaced | null {
  const { typeGroup } = leaf.artifact;
  if (leaf.part.role !== 'body' || (typeGroup !== 'html' && typeGroup !== 'text')) return null;
  if (isReadAlikeOnce(leaf)) return null;
  const text = judgedText(leaf.bytes(), labelOf(leaf));
  // The new header no longer says that programs must join the lines.
  const isJoined = typeGroup === 'text' && leaf.linkReading.isDelSp;
  return asFile(leaf, new TextEncoder().encode(isJoined ? unflowed(text) : text));
}

/**
 * Returns a kept text as a file that every program shows as text. It applies to a text under an unknown name, a text that is declared as a
 * page, a text with a few control bytes, and code that is kept because it is empty. Otherwise null.
 */
function underTextName(leaf: LeafSource): Replaced | null {
  const { part, artifact } = leaf;
  const isEmptyCode = artifact.typeGroup === 'script' && part.size === 0;
  if (part.role === 'body' || (artifact.typeGroup !== 'text' && !isEmptyCode)) return null;
  const isMisnamed = isEmptyCode || part.untrustedNames.some((name) => extensionsOf(name).some(isUnknownName));
  const delivered = isStainedOnce(leaf) ? deliveredText(leaf.bytes()) : null;
  if (!isMisnamed && part.declaredType !== 'text/html' && delivered === null) return null;
  const bytes = delivered ?? leaf.bytes();
  return asFile(leaf, isUtf8(bytes) ? bytes : new TextEncoder().encode(judgedText(bytes, labelOf(leaf))));
}

const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf]);

/**
 * Adds a byte order mark. A page that is opened as a file has no header that declares UTF-8. The mark overrides the charset in its own meta
 * element. Without it, Excel reads a table in the charset of its machine.
 */
function asUtf8({ part }: LeafSource, text: Uint8Array, typeGroup: TypeGroup): Uint8Array {
  const needsMark = part.role !== 'body' && (typeGroup === 'html' || typeGroup === 'data');
  return needsMark ? Buffer.concat([BYTE_ORDER_MARK, text]) : text;
}

/** Returns the page with the treatment of foreign pictures that policy wants. A page that is opened as a file loads nothing. */
function withPicturesChosen({ policy }: DecideContext, ledger: Ledger, { part }: LeafSource, text: string): string {
  const wanted = part.role === 'body' ? policy.remoteContent : 'remove';
  if (wanted === 'remove') return withPictures(text, { kind: 'remove' });
  if (wanted === 'proxy-note') return withPictures(text, { kind: 'note', note: pictureNoteFor(policy, ledger) });
  const kept = linksOf(ledger).filter(({ disposition }) => disposition === 'keep');
  const addresses = new Map(kept.map(({ id, untrustedUrl }) => [hashOf(id), untrustedUrl] as const));
  return withPictures(text, { kind: 'keep', addressOf: (digest) => addresses.get(digest) ?? null });
}

function withoutLinks(
  ctx: DecideContext,
  ledger: Ledger,
  leaf: LeafSource,
  { text, typeGroup }: { readonly text: string; readonly typeGroup: TypeGroup },
): Uint8Array | null {
  const kept = { ids: keptUrlIds(ledger), reading: leaf.linkReading, words: linkWordsFor(ctx.policy, ledger) };
  return withKeptLinksOnly(ctx.limits, text, typeGroup, kept);
}

/** Returns the disarmed form of an artifact that may be delivered. Throws RebuildMismatchError when it differs from the ledger. */
export async function readDisarmed(ctx: CheckedContext, artifact: Artifact): Promise<Uint8Array> {
  return ctx.rewritten.get(artifact.id) ?? (await readReturned(ctx, artifact));
}

/** Returns the file that the service returned for an artifact. Throws RebuildMismatchError when it differs from the ledger. */
export async function readReturned(ctx: StoreContext, artifact: Artifact): Promise<Uint8Array> {
  const file = disarmedFileOf(artifact);
  if (!file) throw new RebuildMismatchError(`artifact ${artifact.id} has no disarmed file`);
  const bytes = await ctx.blobs.get('work', keys.disarmed(file.sha256), { maxBytes: ctx.limits.disarmedBytes });
  if (sha256Hex(bytes) !== file.sha256)
    throw new RebuildMismatchError(`the disarmed file of artifact ${artifact.id} has changed since it was fetched`);
  return bytes;
}

/** Documents that are one XML file each. */
const XML_DOCUMENTS = /^(?:svg|fod[tspg])$/;

/** Groups that cannot be told apart by bytes alone. The extension of a text or page is ours. */
const TOLD_BY_NAME: ReadonlySet<TypeGroup> = new Set(['text', 'html', 'data', 'script']);

/** Returns the METHOD of an appointment. Without it in the header, programs show an invitation as a file (RFC 6047 §2.4). */
function methodOf(calendar: Uint8Array): string | null {
  const head = Buffer.from(calendar.subarray(0, 4_096)).toString('latin1');
  return /^METHOD:(PUBLISH|REQUEST|REPLY|ADD|CANCEL|REFRESH|COUNTER|DECLINECOUNTER)\s*$/im.exec(head)?.[1] ?? null;
}

/**
 * Returns the type of the header of a returned message, else an empty text. It looks like an email, but its type says that programs only
 * show it (RFC 6522 §4).
 */
function shownAs({ declaredType }: Part, { typeGroup }: Artifact): string {
  return typeGroup === 'text' && isDeclaredPlain(declaredType) ? declaredType : '';
}

/**
 * Returns the name with both extensions. Source code keeps its extension before that of a text: `build.sh.txt`. So does a file of an
 * unknown kind (`flake.nix.txt`), and a document whose preview is delivered (`report.pages.pdf`).
 */
function shownName({ untrustedNames, detectedType, typeGroup }: Part): string | null {
  const [name] = untrustedNames;
  if (name === undefined) return null;
  if (detectedType?.startsWith('application/vnd.apple.iwork')) return `${name}.pdf`;
  // Only a text gets the name of a text. A drawing that turns out to be a PDF gets the name of a PDF.
  const isStrange = (each: string) => typeGroup === 'text' && isUnknownName(each);
  return extensionsOf(name).some((each) => isSourceName(each) || isStrange(each)) ? `${name}.txt` : name;
}

/** Returns the extension of a film or recording that is one of its type, such as `opus`. Returns null for every other part. */
function recordingName({ untrustedNames }: Part, { detectedType, typeGroup }: FoundType): string | null {
  if (typeGroup !== 'media' || !isFileType(detectedType)) return null;
  const [extension = '', ...others] = new Set(untrustedNames.flatMap(extensionsOf));
  return others.length === 0 && extensionsOfType(detectedType).includes(extension) ? extension : null;
}

/**
 * Returns the extension by which a file counts as text: an extension of settings and data, or an unknown one. Returns null for every other
 * name.
 */
function textNameOf({ untrustedNames }: Part): string | null {
  return untrustedNames.flatMap(extensionsOf).find((each) => isSourceName(each) || isUnknownName(each)) ?? null;
}

/**
 * Returns the file that replaces a leaf. `wanted` is the group that it must have. Throws RebuildMismatchError when a disarm of this
 * artifact cannot give such bytes, because the service is not trusted.
 */
function asFile(leaf: LeafSource, bytes: Uint8Array, wanted: TypeGroup = leaf.artifact.typeGroup): Replaced {
  const { part, artifact } = leaf;
  const isBody = part.role === 'body';
  const isCode = artifact.typeGroup === 'script';
  const isHtmlOrText = isCode || wanted === 'html' || wanted === 'text';
  const isCalendar = artifact.extension === 'ics';
  // A macro document is returned as the type without macros, so the bytes decide the name.
  const isToldByName = TOLD_BY_NAME.has(wanted) || XML_DOCUMENTS.test(artifact.extension);
  const ownExtension = isWebArchive(artifact) ? 'html' : artifact.extension;
  const untrustedNames = isToldByName
    ? [`disarmed.${(wanted === 'text' ? textNameOf(part) : null) ?? ownExtension}`]
    : [];
  // Programs show a body as the type in its header, even when it contains tags; they open a file as the type of its bytes.
  const hints = isBody
    ? { untrustedNames: [], declaredType: part.declaredType, role: 'body' as const }
    : { untrustedNames, declaredType: shownAs(part, artifact), role: 'file' as const };
  const found = identifyFile(bytes, hints);
  const { typeGroup } = found;
  // The name of code must not make any program start it.
  const extension = isCode ? 'txt' : (recordingName(part, found) ?? found.extension);
  const type = deliveredTypeOf(extension);
  if (type === null || typeGroup !== wanted)
    throw new RebuildMismatchError(
      `the disarmed file of part ${part.path} is ${typeGroup} (${extension}), and should be ${wanted}`,
    );
  const file: Replacement = {
    type: isBody ? part.declaredType : type,
    charset: isHtmlOrText || isCalendar ? 'utf-8' : null,
    method: isCalendar ? methodOf(bytes) : null,
    filename: isBody ? null : safeFileName(shownName(part), extension),
    isInline: leaf.message?.isInline ?? false,
    keepContentId: true,
    isFlowed: isBody && artifact.typeGroup === 'text' && leaf.linkReading.isFlowed,
    bytes,
  };
  return { file, extension };
}

function placeholder({ policy }: DecideContext, ledger: Ledger, { part, artifact }: LeafSource): Replaced {
  const file = placeholderFor(policy, ledger, part, artifact);
  return { file, extension: file.type === 'text/html' ? 'html' : 'txt' };
}
