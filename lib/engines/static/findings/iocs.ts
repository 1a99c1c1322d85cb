/** Finds values in a file that can be looked for elsewhere: addresses, hosts, hashes, paths, registry keys. Takes linear time. */

import { asBuffer } from '../../../formats/byte-scan.ts';
import { oneOf } from '../../../formats/patterns.ts';
import { parseUrl } from '../../../formats/urls/parse-url.ts';
import type { FoundValue } from '../../found-value.ts';
import type { View } from './module.ts';
import { type SoughtType, typesIn } from './value-signs.ts';

/** The most bytes that are read of one view, and of all views together. */
const MAX_VIEW_BYTES = 2 * 1024 * 1024;
const MAX_TOTAL_BYTES = 8 * 1024 * 1024;
/** The most values of one type. A page can list millions. */
const MAX_VALUES = 60;
const MAX_VALUE_LENGTH = 500;

/** Characters behind a value in a sentence or a line of code, which are not part of the value. */
const TAIL = /[\s).,;:\]]{1,20}$/;

type ValueType = FoundValue['type'];

/** The patterns of values. Every repetition has a limit. */
const PATTERNS: readonly (readonly [SoughtType, RegExp])[] = [
  ['url', /\b(?:https?|ftp|ldap):\/\/[\w.\-[\]:@%]{3,250}(?:[/?#][\w\-.~:/?#[\]@!$&*+,;=%()]{0,400})?/gi],
  // The part behind the sign is matched first, because most of a file fails there at once. The name before it is then read backwards.
  ['email', /@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}\b/gi],
  ['ip', /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])/g],
  ['registry', /\b(?:HKEY_(?:LOCAL_MACHINE|CURRENT_USER|CLASSES_ROOT|USERS)|HK(?:LM|CU|CR))[:]?\\[\w \\.{}-]{3,250}/g],
  [
    'path',
    /(?:\b[A-Za-z]:\\|\\\\[\w.-]{2,60}\\|%(?:temp|appdata|localappdata|programdata|public|userprofile)%\\)[\w .\\()~$%-]{3,200}/gi,
  ],
  ['sha256', /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/gi],
];

/** The name of an address. A longer name is not one. */
const MAILBOX = /(?<![\w.%+-])[\w.%+-]{1,64}$/;
const MAX_MAILBOX = 64;

/** Hosts of namespaces and of document formats. They are in every file of a kind and mean nothing. */
const ORDINARY_HOST = new RegExp(
  String.raw`(?:^|\.)${oneOf(String.raw`
    w3\.org schemas\.openxmlformats\.org schemas\.microsoft\.com purl\.org openoffice\.org oasis-open\.org ns\.adobe\.com
    xml\.org iptc\.org npes\.org aiim\.org libreoffice\.org docs\.oasis-open\.org example\.(?:com|org|net)
  `)}$`,
  'i',
);

/** Returns the values of all views, each once, at most 60 of a type. Text of 16 bits per character is also read, without the zeros. */
export function findValues(views: readonly View[]): FoundValue[] {
  const found = new Map<ValueType, Set<string>>();
  let left = MAX_TOTAL_BYTES;
  for (const { bytes } of views) {
    const part = bytes.subarray(0, Math.min(MAX_VIEW_BYTES, left));
    if (part.length === 0) continue;
    left -= part.length;
    collect(part, found);
    const own = asBuffer(part);
    if (own.includes('h\0t\0t\0p\0') || own.includes(':\0\\\0'))
      collect(Buffer.from(own.toString('latin1').replaceAll('\0', ''), 'latin1'), found);
  }
  return [...found].flatMap(([type, values]) => [...values].map((value) => ({ type, value })));
}

function collect(bytes: Uint8Array, found: Map<ValueType, Set<string>>): void {
  const types = typesIn(bytes);
  // A text of a whole file costs more than the pass, so it is made only for a file that may hold something.
  if (types.size === 0) return;
  const text = asBuffer(bytes).toString('latin1');
  for (const [type, pattern] of PATTERNS) {
    if (!types.has(type)) continue;
    // Paths are read unchanged: `\x64` is the name of a folder in them.
    const read = type === 'url' ? unescaped(text) : text;
    for (const { 0: match, index } of read.matchAll(pattern)) {
      if ((found.get(type)?.size ?? 0) >= MAX_VALUES) break;
      const value = type === 'email' ? addressAt(read, index, match) : match;
      if (value !== null) add(type, value.replace(TAIL, '').slice(0, MAX_VALUE_LENGTH), found);
    }
  }
}

/** The ways in which JavaScript, JSON and HTML write the printable characters of a URL. */
const ESCAPE = /\\(?:\/|(?:u00|x)([2-7][0-9a-f]))|&(?:amp|#(?:x([2-7][0-9a-f])|(3[2-9]|[4-9]\d|1[01]\d|12[0-6])));/gi;

/** Returns the text with these escapes decoded, so that a URL is not cut at one, and is found once in every spelling. */
function unescaped(text: string): string {
  // Most files hold neither, and a search for one character costs far less than the pattern.
  if (!text.includes('\\') && !text.includes('&')) return text;
  return text.replace(ESCAPE, (written, inScript?: string, inPage?: string, decimal?: string) => {
    const hex = inScript ?? inPage;
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCharCode(Number(decimal));
    return written === '\\/' ? '/' : '&';
  });
}

function addressAt(text: string, at: number, domain: string): string | null {
  const mailbox = MAILBOX.exec(text.slice(Math.max(0, at - MAX_MAILBOX - 1), at))?.[0];
  return mailbox === undefined ? null : mailbox + domain;
}

function add(type: ValueType, value: string, found: Map<ValueType, Set<string>>): void {
  if (type === 'ip' && /^(?:0|127|255|1\.0\.0|\d\.\d\.\d\.\d$)/.test(value)) return;
  if (type === 'url') {
    const host = hostOf(value);
    if (host === null || ORDINARY_HOST.test(host)) return;
    if (!/^[\d.[\]:]+$/.test(host)) remember('domain', host, found);
  }
  remember(type, value, found);
}

function remember(type: ValueType, value: string, found: Map<ValueType, Set<string>>): void {
  const values = found.get(type) ?? new Set();
  if (values.size < MAX_VALUES) values.add(value);
  found.set(type, values);
}

const hostOf = (url: string): string | null => parseUrl(url)?.hostname || null;
