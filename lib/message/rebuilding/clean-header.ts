/**
 * Cleans the header of a part for delivery. At the root of a message, known fields and unknown but harmless ones stay byte for byte and
 * in order. Every other part keeps its Content- fields only. Fields are removed that programs act on, that may lead somewhere although
 * they are unknown, or that hold a blocked address.
 */
import { asBuffer } from '../../formats/byte-scan.ts';
import { decodeHeaderText } from '../../formats/mail/encoded-words.ts';
import { trimBlanks } from '../../formats/mail/trim-blanks.ts';
import { CONTROLS, type RawField, rawHeader } from '../headers/raw-fields.ts';
import { hasActingBytes, isOddlyFolded, kindOfRootField } from '../headers/root-fields.ts';
import { textField } from '../headers/text.ts';
import type { ByteRange, MessagePart } from '../model.ts';
import { linksOfField } from '../urls/header-urls.ts';
import type { BlockedWords } from '../urls/html/blocked-looks.ts';
import { defang } from '../urls/html/defang.ts';
import type { SearchLimits } from '../urls/sources/source.ts';
import { isFromServer } from './authentication-results.ts';
import { isMimeField, mimeField } from './mime-fields.ts';

/** RFC 5322 §2.1.1 allows 998 characters in a line. */
const LINE_LENGTH = 900;

/** The links that must not be clickable in the delivered message. */
export interface LinkRule {
  /** Gets the normalised form. */
  isBlocked(normalised: string): boolean;
  readonly limits: SearchLimits;
  readonly words: BlockedWords;
}

export interface CleanRule {
  /** True for a part that begins a message: the incoming message, or one inside it. */
  readonly isMessageRoot: boolean;
  /** The name that replaces all names the part claims. Null when it keeps them or gets none. */
  readonly safeName: string | null;
  readonly links: LinkRule;
  /** The servers whose Authentication-Results stay. An empty list keeps those of all servers. */
  readonly trustedServers: readonly string[];
  readonly eol: string;
}

/** A piece of a header. `text` replaces it, one character per byte. Null when the piece stays as it is. */
export interface HeaderPiece extends ByteRange {
  /** In lower case. Empty for lines that belong to no field. */
  readonly name: string;
  readonly text: string | null;
}

/** Returns the fields of a part's header in order, and then its stray lines, each with its replacement. Never throws. */
export function cleanHeader(email: Uint8Array, part: MessagePart, rule: CleanRule): readonly HeaderPiece[] {
  const { fields, stray } = rawHeader(asBuffer(email), part.header);
  const showsHeaders = fields.some(({ name, value }) => name === 'content-type' && PROTECTED_HEADERS.test(value));
  // If a field occurs twice, the one whose name only lenient programs read is removed.
  const strict = new Set(fields.filter(({ isNameStrict }) => isNameStrict).map(({ name }) => name));
  const seen = new Set<string>();
  const pieces = fields.map((field): HeaderPiece => {
    const { name, start, end } = field;
    const text = isMimeField(name)
      ? !field.isNameStrict && strict.has(name)
        ? ''
        : mimePiece(field, part, rule, seen)
      : rule.isMessageRoot || (showsHeaders && PROTECTED.has(name))
        ? rootPiece(field, rule)
        : '';
    return { name, start, end, text };
  });
  const lines = stray.map((range): HeaderPiece => ({ ...range, name: '', text: '' }));
  return [...pieces, ...lines];
}

/** Signed or encrypted copies of the root's fields on the part that is signed (RFC 9788, and `v1` as Thunderbird writes it). */
const PROTECTED_HEADERS = /;\s*(?:protected-headers="?v1|hp="?(?:clear|cipher))/i;
// biome-ignore format: one field a line makes the list hard to read
const PROTECTED = new Set([
  'from', 'to', 'cc', 'reply-to', 'sender', 'subject', 'date', 'message-id', 'in-reply-to', 'references', 'user-agent',
  'autocrypt',
]);

/** Decides about a Content- field. Only the first of its name stays, because some programs take the first and some the last. */
function mimePiece(field: RawField, part: MessagePart, rule: CleanRule, seen: Set<string>): string | null {
  if (seen.has(field.name)) return '';
  seen.add(field.name);
  const rewritten = mimeField(field, { part, safeName: rule.safeName, eol: rule.eol });
  return rewritten === 'keep' ? null : (rewritten ?? '');
}

/** Decides about a field of a message root. Returns null when it stays unchanged. */
function rootPiece(field: RawField, { links, eol, trustedServers }: CleanRule): string | null {
  const kind = kindOfRootField(field);
  const isChecked = field.name === 'authentication-results' && trustedServers.length > 0;
  if (isChecked && !isFromServer(field.value, trustedServers)) return '';
  if (kind === 'left-out' || (kind === 'unknown' && !field.isNameStrict)) return '';
  if (linksOfField(field, links.limits).some(({ normalised }) => links.isBlocked(normalised))) {
    if (field.name !== 'subject') return '';
    const { text } = defang(decodeHeaderText(field.value), 'text', links.isBlocked, links.limits, links.words);
    return textField('Subject', text, eol);
  }
  return field.isNameStrict && !hasActingBytes(field.text) ? null : withoutActingBytes(field, eol);
}

/** Rewrites a known field that programs read in different ways, with the one value that was judged. */
function withoutActingBytes({ name, text, value }: RawField, eol: string): string {
  const label = name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
  if (isOddlyFolded(text)) return `${label}: ${value.slice(0, LINE_LENGTH)}${eol}`;
  return `${label}: ${trimBlanks(text.replace(CONTROLS, ' ')).replace(/[\r\n]+$/, '')}${eol}`;
}
