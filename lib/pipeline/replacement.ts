/** What takes the place of one leaf: its disarmed file, its text without blocked links, or a placeholder. */
import type { MessagePart, Replacement } from '../message/model.ts';
import { decodeText } from '../message/text.ts';
import type { StoreContext } from './context.ts';
import { blockedUrlIds } from './decide.ts';
import { RebuildMismatchError } from './errors.ts';
import { typeOfExtension } from './file-kinds.ts';
import { identifyFile } from './file-type.ts';
import { disarmedFileOf } from './judge.ts';
import { keys, sha256Hex } from './keys.ts';
import type { Artifact, Ledger, Part } from './ledger.ts';
import { withoutBlockedLinks } from './links.ts';
import { placeholderText } from './placeholder.ts';
import { safeFileName } from './safe-text.ts';

export interface Replaced {
  readonly file: Replacement;
  /** Of the closed list; names the delivered file. */
  readonly extension: string;
}

export interface LeafSource {
  readonly part: Part;
  readonly artifact: Artifact;
  /** As the reader saw it; null for a bare file. */
  readonly message: MessagePart | null;
  readonly bytes: () => Uint8Array;
}

/**
 * The replacement of a leaf, or null when its bytes stay. Throws RebuildMismatchError when the disarmed file is not the one
 * the ledger names.
 */
export async function replacementFor(ctx: StoreContext, ledger: Ledger, leaf: LeafSource): Promise<Replaced | null> {
  const { disposition } = leaf.part;
  if (disposition === 'keep') return null;
  if (disposition !== 'disarm') return placeholder(ctx, leaf);
  const disarmed = leaf.artifact.disposition === 'disarm' ? await readDisarmed(ctx, leaf.artifact) : null;
  const bytes = disarmed ?? leaf.bytes();
  // A disarmed text is UTF-8; the original is in the charset its part declares.
  const charset = disarmed ? 'utf-8' : (leaf.message?.charset ?? null);
  const unlinked = withoutLinks(ctx, ledger, leaf.artifact, bytes, charset);
  return asFile(leaf, unlinked === null ? bytes : asUtf8(leaf, unlinked));
}

const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf]);

/** A page opened as a file has no header to say that it is UTF-8 now; a byte order mark outranks what its own meta says. */
function asUtf8(leaf: LeafSource, text: Uint8Array): Uint8Array {
  const needsMark = leaf.artifact.typeGroup === 'html' && leaf.part.role !== 'body';
  return needsMark ? Buffer.concat([BYTE_ORDER_MARK, text]) : text;
}

function withoutLinks(
  ctx: StoreContext,
  ledger: Ledger,
  artifact: Artifact,
  bytes: Uint8Array,
  charset: string | null,
) {
  if (artifact.typeGroup !== 'html' && artifact.typeGroup !== 'text') return null;
  return withoutBlockedLinks(ctx.limits, decodeText(bytes, charset), artifact.typeGroup, blockedUrlIds(ledger));
}

async function readDisarmed(ctx: StoreContext, artifact: Artifact): Promise<Uint8Array> {
  const file = disarmedFileOf(artifact);
  if (!file) throw new RebuildMismatchError(`artifact ${artifact.id} has no disarmed file`);
  const bytes = await ctx.blobs.get('work', keys.disarmed(file.sha256), { maxBytes: ctx.limits.disarmedBytes });
  if (sha256Hex(bytes) !== file.sha256)
    throw new RebuildMismatchError(`the disarmed file of artifact ${artifact.id} has changed since it was fetched`);
  return bytes;
}

/** Throws RebuildMismatchError when the bytes are not what a disarm of this artifact can give: the service is not believed blindly. */
function asFile(leaf: LeafSource, bytes: Uint8Array): Replaced {
  const { part, artifact } = leaf;
  const isBody = part.role === 'body';
  const isHtmlOrText = artifact.typeGroup === 'html' || artifact.typeGroup === 'text';
  // Macro documents come back as their macro-free twin: the name must follow the bytes.
  const untrustedNames = isHtmlOrText ? [`disarmed.${artifact.typeGroup === 'html' ? 'html' : 'txt'}`] : [];
  // A body is shown as what its header says, tags and all; a file is opened as what it is.
  const hints = isBody
    ? { untrustedNames: [], declaredType: part.declaredType, role: 'body' as const }
    : { untrustedNames, declaredType: '', role: 'file' as const };
  const { extension, typeGroup } = identifyFile(bytes, hints);
  const type = typeOfExtension(extension);
  if (type === null || typeGroup !== artifact.typeGroup)
    throw new RebuildMismatchError(
      `the disarmed file of part ${part.path} is ${typeGroup} (${extension}), and should be ${artifact.typeGroup}`,
    );
  const file: Replacement = {
    type: isBody ? part.declaredType : type,
    charset: isHtmlOrText ? 'utf-8' : null,
    filename: isBody ? null : safeFileName(part.untrustedNames[0] ?? null, extension),
    isInline: leaf.message?.isInline ?? false,
    keepContentId: true,
    bytes,
  };
  return { file, extension };
}

function placeholder(ctx: StoreContext, leaf: LeafSource): Replaced {
  const bytes = new TextEncoder().encode(placeholderText(ctx.limits, leaf.part, leaf.artifact));
  const name = leaf.part.untrustedNames[0];
  const file: Replacement = {
    type: 'text/plain',
    charset: 'utf-8',
    filename:
      leaf.part.role === 'body' ? null : safeFileName(name === undefined ? null : `${name} (removed).txt`, 'txt'),
    isInline: true,
    keepContentId: false,
    bytes,
  };
  return { file, extension: 'txt' };
}
