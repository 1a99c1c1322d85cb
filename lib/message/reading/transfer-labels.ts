/** Reads a Content-Transfer-Encoding header as strict and as lenient programs do. */
import { fieldsNamed, type HeaderBlock, rawValue } from '../../formats/mail/header-block.ts';
import { withoutComments } from '../../formats/mail/header-comments.ts';
import type { TransferEncoding } from '../model.ts';

export interface TransferLabel {
  /** The encoding with which the leaf is decoded. */
  readonly encoding: TransferEncoding;
  /** The encodings that other programs read in the header, without `encoding`. */
  readonly others: readonly TransferEncoding[];
  /** The oddity, in plain words. Null when every program reads the header alike. */
  readonly problem: string | null;
  /** True when the header is repeated with another value. */
  readonly isRepeated: boolean;
}

const EXACT = new Set<string>(['7bit', '8bit', 'binary', 'base64', 'quoted-printable']);
/** Misspelt labels of a body that is not encoded, such as `8bits`, `8 bit` and `7bit;`. Every program shows the body as it stands. */
const MISSPELT = /^(7|8)[ -]?bits?(?:[ \t]*;)?$/;
const VALUE_BYTES = 64 * 1024;
/** Headers of one part that are read. */
const LABELS = 20;

/** Returns every encoding that a program may read in a value, in order. */
export function encodingsIn(value: string): readonly TransferEncoding[] {
  const words = value
    .toLowerCase()
    .replaceAll('\0', '')
    .split(/[^a-z0-9_-]+/);
  const found = words.flatMap((word): TransferEncoding[] => {
    const bare = word.replace(/^x-/, '');
    if (/^base-?64$/.test(bare)) return ['base64'];
    if (/^(?:quoted[-_]?printable|qp)$/.test(bare)) return ['quoted-printable'];
    if (/^uu(?:e|enc|encode|encoded)?$/.test(bare)) return ['uuencode'];
    return bare === '7bit' || bare === '8bit' || bare === 'binary' ? [bare] : [];
  });
  return [...new Set(found)];
}

/** Reads the label of a part. The first value that names an encoding decides, and all others are kept. */
export function readTransferLabel(email: Buffer, block: HeaderBlock): TransferLabel {
  const fields = fieldsNamed(block, 'content-transfer-encoding');
  if (fields.length === 0) return { encoding: '7bit', others: [], problem: null, isRepeated: false };
  const values = fields
    .slice(0, LABELS)
    .map((field) => rawValue(email, field, VALUE_BYTES).toLowerCase().replace(MISSPELT, '$1bit'));
  const named = [...new Set(values.flatMap(encodingsIn))];
  const [first = ''] = values;
  let problem: string | null = null;
  if (named.length === 0 || encodingsIn(first).length === 0) problem = 'an unknown Content-Transfer-Encoding';
  else if (!EXACT.has(first))
    problem = EXACT.has(withoutComments(first))
      ? 'a comment in the Content-Transfer-Encoding'
      : 'a Content-Transfer-Encoding that only lenient programs know';
  return {
    encoding: named[0] ?? 'unknown',
    others: named.slice(1),
    problem,
    isRepeated: new Set(values).size > 1 || fields.length > LABELS,
  };
}
