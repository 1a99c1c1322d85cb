/**
 * Reads the arguments of MAIL and RCPT (RFC 5321, 4.1.2), in a closed grammar. An argument that does not fit is refused. So no byte of an
 * address can act in a command, a header, a log line or a path later on. An address stays unchanged.
 */

/** The value of a command line, or the answer to a line that cannot be used. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reply: Refusal };

/** An answer of RFC 5321 with its enhanced status code (RFC 3463). */
export interface Refusal {
  readonly code: number;
  readonly status: string;
  readonly text: string;
}

export interface PathAndParameters {
  /** Empty for `<>`. */
  readonly address: string;
  /** By their names in capitals. Null for a parameter without a value. */
  readonly parameters: ReadonlyMap<string, string | null>;
}

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u{80}-\\u{10FFFF}-]+";
const QUOTED =
  '"(?:[\\x20-\\x21\\x23-\\x3B\\x3D\\x3F-\\x5B\\x5D-\\x7E\\u{80}-\\u{10FFFF}]|\\\\[\\x20-\\x3B\\x3D\\x3F-\\x7E])*"';
const LABEL =
  '[A-Za-z0-9_\\u{80}-\\u{10FFFF}](?:[A-Za-z0-9_\\u{80}-\\u{10FFFF}-]{0,61}[A-Za-z0-9_\\u{80}-\\u{10FFFF}])?';
const DOMAIN = `${LABEL}(?:\\.${LABEL})*`;
const LITERAL = '\\[[0-9A-Fa-f:.]{2,45}\\]|\\[IPv6:[0-9A-Fa-f:.]{2,45}\\]';
/** Dots may stand beside each other and at the end: Japanese providers gave such addresses to people, and mail servers take them. */
const LOCAL = `(?:${ATOM}(?:\\.+${ATOM})*\\.*|${QUOTED})`;
const MAILBOX = new RegExp(`^${LOCAL}@(?:${DOMAIN}|${LITERAL})$`, 'u');
const LOCAL_ALONE = new RegExp(`^${LOCAL}$`, 'u');
/** A source route is read and omitted (RFC 5321, appendix C). */
const ROUTE = new RegExp(`^@${DOMAIN}(?:,@${DOMAIN})*:`, 'u');
const PARAMETER = /^([A-Za-z0-9][A-Za-z0-9-]{0,31})(?:=([\x21-\x3C\x3E-\x7E\u{80}-\u{10FFFF}]{1,500}))?$/u;

/** RFC 5321 (4.5.3.1): octets of a local part and of a path without its brackets. */
const MAX_LOCAL_BYTES = 64;
const MAX_PATH_BYTES = 254;

/**
 * Reads `MAIL FROM:<path> …` or `RCPT TO:<path> …`. `begin` is the command up to its colon. `isTaken`: a mail server has taken the address,
 * which may be one of its own users without a domain.
 */
export function readPath(line: string, begin: 'MAIL FROM' | 'RCPT TO', isTaken = false): Read<PathAndParameters> {
  const syntax = refused(501, '5.5.4', `Syntax: ${begin}:<address>`);
  const head = new RegExp(`^${begin.replace(' ', ' +')}: ?`, 'i').exec(line);
  if (head === null) return syntax;
  const rest = line.slice(head[0].length);
  const end = endOfPath(rest);
  if (end === null) return syntax;
  const address = rest.slice(1, end).replace(ROUTE, '');
  if (!isAddress(address, begin) && !(isTaken && isLocalPart(address)))
    return refused(501, begin === 'MAIL FROM' ? '5.1.7' : '5.1.3', 'Bad address syntax');
  const parameters = readParameters(rest.slice(end + 1));
  return parameters === null
    ? refused(501, '5.5.4', 'Bad or repeated parameter')
    : { ok: true, value: { address, parameters } };
}

export const refused = (code: number, status: string, text: string): { ok: false; reply: Refusal } => ({
  ok: false,
  reply: { code, status, text },
});

/** Returns the index of the closing bracket. In a quoted local part, a bracket is allowed only behind a backslash or not at all. */
function endOfPath(rest: string): number | null {
  if (rest[0] !== '<') return null;
  const end = rest.indexOf('>');
  return end < 0 ? null : end;
}

function isLocalPart(address: string): boolean {
  return Buffer.byteLength(address) <= MAX_LOCAL_BYTES && LOCAL_ALONE.test(address);
}

function isAddress(address: string, begin: 'MAIL FROM' | 'RCPT TO'): boolean {
  if (address === '') return begin === 'MAIL FROM';
  // RFC 5321 (4.1.1.3): a postmaster without a domain.
  if (begin === 'RCPT TO' && /^postmaster$/i.test(address)) return true;
  const at = address.lastIndexOf('@');
  return (
    Buffer.byteLength(address) <= MAX_PATH_BYTES &&
    Buffer.byteLength(address.slice(0, at)) <= MAX_LOCAL_BYTES &&
    MAILBOX.test(address)
  );
}

/** Reads the parameters. Returns null when one cannot be read or occurs twice. */
function readParameters(text: string): Map<string, string | null> | null {
  const found = new Map<string, string | null>();
  if (text === '') return found;
  if (!text.startsWith(' ')) return null;
  for (const word of text.split(' ').filter(Boolean)) {
    const [, name, value] = PARAMETER.exec(word) ?? [];
    if (name === undefined || found.has(name.toUpperCase())) return null;
    found.set(name.toUpperCase(), value ?? null);
  }
  return found;
}

/**
 * Returns the domain of an address in small letters without a final dot. Returns null for an address without one, or with an address
 * literal.
 */
export function domainOf(address: string): string | null {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return !address.includes('@') || domain.startsWith('[') ? null : domain;
}

/** Returns true when it cannot be sent without SMTPUTF8 (RFC 6531). */
export const needsUtf8 = (address: string): boolean => /[\u{80}-\u{10FFFF}]/u.test(address);
