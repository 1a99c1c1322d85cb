/** Collects leaves that have no place in the tree, under one budget, each distinct content once. */
import { asBuffer } from '../../formats/byte-scan.ts';
import { type Steps, sha256Steps } from '../../formats/steps.ts';
import type { WarningList } from '../headers/warnings.ts';
import type { ByteRange, MessagePart, Reading, ReadingLimits, TransferEncoding } from '../model.ts';
import { isBody } from './part-role.ts';

/** Decoded bytes that some program may show as a part. */
export interface Find {
  readonly names: readonly string[];
  readonly declaredType: string;
  readonly charset: string | null;
  readonly encoding: TransferEncoding;
  readonly contentId: string | null;
  readonly disposition: string | null;
  readonly header: ByteRange;
  readonly body: ByteRange;
  readonly bytes: Uint8Array;
  readonly reading: Reading;
  /** True for words without name, encoding or second reading. A program that shows them as a part shows plain text. @default false */
  readonly isOnlyText?: boolean;
}

export interface Finds {
  /** Adds a find, unless a leaf with the same bytes is known. */
  addSteps(find: Find): Steps<void>;
  parts(): readonly MessagePart[];
  /** Returns true when no more finds are taken. */
  isFull(): boolean;
}

/** Bytes of all finds: at most this many times the size of the message, because they are held in memory. */
const BYTES_FACTOR = 2;
/** A small message may have finds of this many bytes. */
const BYTES_FLOOR = 16 * 1024 * 1024;

/** Returns an empty collection for finds that are not in `tree`. */
export function createFinds(
  email: Buffer,
  tree: readonly MessagePart[],
  limits: ReadingLimits,
  warnings: WarningList,
): Finds {
  const found = new Map<string, MessagePart>();
  const known = new Set(tree.flatMap(({ sha256 }) => sha256 ?? []));
  const counts = new Map<string, number>();
  let budget = Math.max(email.length * BYTES_FACTOR, BYTES_FLOOR);
  const isFull = () => found.size >= limits.parts || budget < 0;
  return {
    *addSteps(find) {
      if (isBlank(find.bytes)) return;
      const sha256 = yield* sha256Steps(find.bytes);
      if (find.isOnlyText === true && standsInText(tree, find.body)) {
        warnings.add(
          'text_recovered',
          partAround(tree, find.body).path,
          'words that a lenient program shows a second time',
        );
        return;
      }
      const seen = found.get(sha256);
      if (known.has(sha256) || isFull()) return;
      if (seen !== undefined) {
        found.set(sha256, { ...seen, readings: [...new Set([...seen.readings, find.reading])] });
        return;
      }
      budget -= find.bytes.length;
      const parent = partAround(tree, find.body);
      const number = (counts.get(parent.path) ?? 0) + 1;
      counts.set(parent.path, number);
      const part = toPart(find, { parent, number, sha256 });
      found.set(sha256, part);
      if (find.reading === 'recovery')
        warnings.add('part_recovered', part.path, 'a part that only a lenient program finds');
      if (isFull()) warnings.add('limit_exceeded', null, 'too many parts that only lenient programs find');
    },
    parts: () => [...found.values()],
    isFull,
  };
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.length === 0 || (bytes.length < 200 && asBuffer(bytes).toString('latin1').trim() === '');
}

function toPart(
  find: Find,
  place: { readonly parent: MessagePart; readonly number: number; readonly sha256: string },
): MessagePart {
  const { names, declaredType, charset, encoding, contentId, disposition, header, body, bytes, reading } = find;
  return {
    path: `${place.parent.path}~${place.number}`,
    parent: place.parent.path,
    depth: place.parent.depth + 1,
    role: isBody({ declaredType, isNamed: names.length > 0, disposition }) ? 'body' : 'attachment',
    untrustedNames: names,
    declaredType,
    charset,
    encoding,
    untrustedContentId: contentId,
    header,
    body,
    isInline: disposition === 'inline',
    size: bytes.length,
    sha256: place.sha256,
    readings: [reading],
    recovered: bytes,
  };
}

/** Texts that are shown and searched for links without decoding. */
const TEXT =
  /^(?:text\/(?:plain|rfc822-headers)|message\/(?:delivery-status|feedback-report|disposition-notification))$/;
const IDENTITY = /^(?:7bit|8bit|binary)$/;

/** Returns true for a range within the body of a text that the email contains in the form in which it is shown. */
function standsInText(tree: readonly MessagePart[], { start, end }: ByteRange): boolean {
  return tree.some(
    ({ sha256, declaredType, encoding, body }) =>
      sha256 !== null && TEXT.test(declaredType) && IDENTITY.test(encoding) && body.start <= start && end <= body.end,
  );
}

/** Returns the innermost part of the tree in which these bytes begin. */
function partAround(tree: readonly MessagePart[], { start }: ByteRange): MessagePart {
  const around = tree.filter((part) => part.header.start <= start && start <= part.body.end);
  return around.at(-1) ?? (tree[0] as MessagePart);
}
