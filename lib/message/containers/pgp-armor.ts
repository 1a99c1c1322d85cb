/** Finds OpenPGP armor (RFC 9580 §6.2) in any text, with its messages, and decides whether they are encrypted. */
import { asBuffer, holdsMatch } from '../../formats/byte-scan.ts';
import { BASE64, digitRun } from '../encodings/digit-runs.ts';
import { holdsEntity, holdsSoftEnd, textViews } from '../encodings/text-views.ts';
import { leadingTags, type Opener, openerOf, tagOf } from './pgp-packets.ts';

/**
 * The begin line, the headers of the armor, and the first two octets of its data in base64. Programs decode it whatever the line says, but for
 * a text with a signature. A mark of UTF-8 in front of the line is gone once a program decodes the text, and a bare CR ends a line in many.
 */
const BEGIN =
  /^(?:\xef\xbb\xbf)?-{5}BEGIN PGP (?!SIGNED MESSAGE)([A-Z][A-Z \d,/]{0,60})-{5}[ \t]*(?:\r(?!\n)|\r?\n)(?:[A-Za-z]+: [^\r\n]*(?:\r(?!\n)|\r?\n)|[ \t]*(?:\r(?!\n)|\r?\n)){0,20}([A-Za-z0-9+/]{2})[A-Za-z0-9+/]{6}/gim;
/** How many digits of the data this expression reads. */
const DATA_START = 8;
const END = '-----END PGP MESSAGE-----';
/** The content between the headers of an armor and its end, without blanks: base64, and perhaps a checksum. */
const DATA = /^([A-Za-z0-9+/]*={0,2})(?:=[A-Za-z0-9+/]{4})?$/;
/** Names, pictures and signatures in a key, and packets that programs skip. */
const IN_KEYS = [2, 10, 12, 13, 17, 21];
/** The packets of armor that is not a message (§10): signatures, and keys. Armor with any other packet is a message. */
const TAGS: Readonly<Record<string, { readonly first: readonly number[]; readonly others: readonly number[] }>> = {
  SIGNATURE: { first: [2], others: [10, 21] },
  'PUBLIC KEY BLOCK': { first: [6, 14], others: IN_KEYS },
  'PRIVATE KEY BLOCK': { first: [5, 7], others: IN_KEYS },
};
const PGP = /pgp/i;
/** The same with a soft line end in it, which has at most six characters. */
const BROKEN_PGP = /p \r?\ngp|pg \r?\np/i;
/** The letters. A soft line end may be among them, or one of them may be written as an entity. */
const CALLED_PGP = /pgp|p \r?\ngp|pg \r?\np|&#(?:x0*[4567][07]|0*(?:71|80|103|112))(?![0-9a-f])/i;

/**
 * Returns true for armor whose begin line starts a line. Quotation marks, indents and elements of a page may come before it, because
 * programs find it there, too. Prose about PGP has no data behind that line.
 */
export function holdsArmor(bytes: Uint8Array): boolean {
  return (
    mayBeCalledPgp(bytes) &&
    CALLED_PGP.test(asBuffer(bytes).toString('latin1')) &&
    formsOf(bytes).some((text) => messagesIn(text).length > 0)
  );
}

/** Returns false where CALLED_PGP cannot match. Each of these searches is many times as fast as one for all of it. */
function mayBeCalledPgp(bytes: Uint8Array): boolean {
  const isWord = holdsEntity(bytes) || holdsMatch(bytes, PGP, 3);
  return isWord || (holdsSoftEnd(bytes) && holdsMatch(bytes, BROKEN_PGP, 6));
}

/**
 * Returns what opens the messages in all forms of the text when each is encrypted, and nothing else is in its armor: a password when one of
 * them needs it. Null otherwise.
 */
export function openerOfArmor(bytes: Uint8Array): Opener | null {
  const openers = formsOf(bytes).flatMap(openersIn);
  if (openers.includes(null)) return null;
  return openers.includes('password') ? 'password' : 'private_key';
}

/** Returns true when the bytes are the armor of one message, and blanks around it. */
export function isWholeArmor(bytes: Uint8Array): boolean {
  if (!asBuffer(bytes).includes(END)) return false;
  const text = asBuffer(bytes).toString('latin1').trim();
  const [first, ...others] = messagesIn(text);
  return first?.index === 0 && others.length === 0 && text.indexOf(END) === text.length - END.length;
}

/** Returns the text, and the text as programs see it that remove the beginnings of its lines. */
function formsOf(bytes: Uint8Array): string[] {
  return [asBuffer(bytes), ...textViews(bytes)].map((view) => view.toString('latin1'));
}

function messagesIn(text: string): RegExpExecArray[] {
  const all = Buffer.from(text, 'latin1');
  return [...text.matchAll(BEGIN)].filter((match) => {
    const tags = TAGS[(match[1] ?? '').toUpperCase()];
    if (!tags?.first.includes(tagOf(Buffer.from(`${match[2] ?? ''}AA`, 'base64')[0] ?? 0))) return true;
    const { bytes } = digitRun(all, match.index + match[0].length - DATA_START, BASE64);
    return leadingTags(bytes).tags.some((tag) => !tags.first.includes(tag) && !tags.others.includes(tag));
  });
}

/** Returns what opens each message; null for one that is not encrypted. Ends at the first such, so every octet is read once. */
function openersIn(text: string): (Opener | null)[] {
  let read = 0;
  const openers: Opener[] = [];
  for (const { 0: begin, 1: kind, index } of messagesIn(text)) {
    const start = index + begin.length - DATA_START;
    const end = text.indexOf(END, start);
    if (kind?.toUpperCase() !== 'MESSAGE' || index < read || end < 0) return [null];
    const [, data] = DATA.exec(text.slice(start, end).replace(/\s+/g, '')) ?? [];
    const opener = data === undefined ? null : openerOf(Buffer.from(data, 'base64'));
    if (opener === null) return [null];
    openers.push(opener);
    read = end;
  }
  return openers;
}
