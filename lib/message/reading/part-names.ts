/** Reads every name that a part claims, in any header. Programs differ in which name they use, so the part is judged by each. */

import { decodeText } from '../../formats/charsets/decode-text.ts';
import { encodingOf, labelProblem } from '../../formats/charsets/labels.ts';
import { charsetsIn, decodeHeaderText } from '../../formats/mail/encoded-words.ts';
import { readableName } from '../../formats/names/bounded-name.ts';
import { isRunByName } from '../headers/name-checks.ts';
import type { ParamValue, StructuredValue } from '../headers/params.ts';

/** Names that one part may claim. Ordinary parts claim up to four. */
const NAMES_PER_PART = 16;
/** Parameters that some program takes for a name: `filename`, `name`, `file`, `x-mac-filename`. */
const NAMING_PARAM = /name$|^(?:x-)?file$/;
/** An extension at the end of a name, by which a system opens the file. */
const EXTENSION_AT_END = /\.(?:[a-z][a-z0-9_-]{0,19}|\{[0-9a-f-]{36}\})[\s."']*$/i;
/** Programs and systems cut a name at these characters. */
const CUTS = /[\\/:\p{Cc}]|%(?:0[09ad]|2[ef]|3a|5c)/iu;
/** Programs drop these characters at the end of a name. */
const AT_END = /[\s."']/;
/** Characters that are read at the end of a header or name. */
const NAME_LENGTH = 1_000;
const WEB_ADDRESS = /^(?:https?:)?\/\//i;

export interface NameHeaders {
  /** The values of all such headers, because some programs take the first and some the last. */
  readonly dispositions: readonly StructuredValue[];
  readonly types: readonly StructuredValue[];
  /** Content-Description and Content-Location, one character per byte. Null when there is none. */
  readonly description: string | null;
  readonly location: string | null;
}

export interface PartNames {
  /** Decoded and otherwise unchanged, without repetitions: first those of Content-Disposition, then of Content-Type, then the others. */
  readonly names: readonly string[];
  /** True when a parameter gives a name. The part is then a file and not a text to show. */
  readonly isNamed: boolean;
  /** The oddity, in plain words. Null when there is none. */
  readonly problem: string | null;
}

/** Reads every name of a part. Never throws. */
export function readNames(headers: NameHeaders): PartNames {
  const claimed = [...headers.dispositions, ...headers.types].flatMap(({ params }) =>
    [...params].filter(([key]) => NAMING_PARAM.test(key)).flatMap(([, values]) => values),
  );
  const given = claimed.slice(0, NAMES_PER_PART).flatMap((value) => [nameText(value), ...shorterNames(value)]);
  const others = [describedName(headers.description), locatedName(headers)].filter((name) => name !== null);
  const names = [...new Set([...given, ...others].map(readableName))].filter((name) => name !== '');
  const problem = claimed.length >= NAMES_PER_PART ? 'too many names for one part' : problemOf(claimed, names);
  return { names, isNamed: given.some((name) => name !== ''), problem };
}

function nameText({ bytes, charset }: ParamValue): string {
  if (charset !== null) return decodeText(Buffer.from(bytes, 'latin1'), charset);
  return decodeHeaderText(bytes);
}

/** Returns the shorter readings of a value that end in an extension: the `my` of `my file.pdf` is no name. */
function shorterNames({ shorter }: ParamValue): string[] {
  return shorter.map(decodeHeaderText).filter((name) => EXTENSION_AT_END.test(endOf(name)));
}

/** Returns the name in a description. Some programs save an unnamed part under it. */
function describedName(description: string | null): string | null {
  const name = decodeHeaderText((description ?? '').slice(-NAME_LENGTH));
  return EXTENSION_AT_END.test(name) ? name : null;
}

/**
 * Returns the last step of the path in Content-Location. A web address only says where a page came from, so its `index.php` is not the name
 * of a script.
 */
function locatedName({ dispositions, location }: NameHeaders): string | null {
  const isFile = dispositions.some(({ value }) => value === 'attachment');
  if (WEB_ADDRESS.test(location ?? '') && !isFile) return null;
  const path = decodeHeaderText((location ?? '').slice(-NAME_LENGTH))
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z][a-z0-9+.-]*:(?:\/\/[^/]*)?/i, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return EXTENSION_AT_END.test(name) ? name : null;
}

/** Returns the oddities of names, in plain words: another program may decode a name differently. */
function problemOf(claimed: readonly ParamValue[], names: readonly string[]): string | null {
  const charsets = claimed.flatMap(({ bytes, charset }) => (charset === null ? charsetsIn(bytes) : [charset]));
  if (charsets.some((charset) => labelProblem(charset) !== null || /^utf-16/.test(encodingOf(charset) ?? '')))
    return 'a name in a charset that programs read in different ways';
  return names.some((name) => name.includes('=?')) ? 'a name that programs decode in different ways' : null;
}

/** Returns true for a name under which a message inside a message is opened: one without an extension, or with `.eml`. */
export function isMessageName(untrustedName: string): boolean {
  const name = untrustedName.normalize('NFKC').replace(/\p{Cf}/gu, '');
  return !isRunByName(untrustedName) && name.split(CUTS).every((piece) => isHarmlessPiece(endOf(piece)));
}

const isHarmlessPiece = (end: string) => /\.eml\s*$/i.test(end) || !EXTENSION_AT_END.test(end);

/** Returns the end of a name, long enough to see its extension, without the characters that programs drop there. */
function endOf(name: string): string {
  let end = name.length;
  while (end > 0 && AT_END.test(name.charAt(end - 1))) end--;
  return name.slice(Math.max(0, end - NAME_LENGTH), end);
}
