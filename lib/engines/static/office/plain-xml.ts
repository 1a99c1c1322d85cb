/**
 * Spells the XML of documents as programs customarily write it, so that a pattern finds what a parser finds. An attacker may choose other
 * prefixes for name spaces, write letters as references, split words by comments and instructions, or put marks into the value of an
 * attribute.
 */
import { readXml, XmlStop } from '../xml-events.ts';

export interface PlainXml {
  readonly text: string;
  /** False for XML in an encoding that programs read differently, or in an unusual spelling that no strict parser reads. */
  readonly isUnderstood: boolean;
}

/**
 * Returns the text of an XML part without its comments, in the customary spelling. It has the prefixes of OpenDocument and of VML, and
 * elsewhere prefixes of letters and digits. Values are in double quotes, with escaped marks and quotes. There are no instructions and
 * sections. XML that is spelled so already stays unchanged, which takes no parser. Never throws.
 */
export function plainXml(untrustedXml: string): PlainXml {
  const isKnown = hasKnownEncoding(untrustedXml);
  const text = isUnusual(untrustedXml) ? rewritten(untrustedXml) : withPlainBlanks(untrustedXml);
  return { text: text ?? withoutComments(untrustedXml), isUnderstood: isKnown && text !== null };
}

/** Lines and tabs in values are customarily written as references. */
function withPlainBlanks(text: string): string {
  return text.includes('&#') ? text.replace(/&#(?:x0*(?:9|a|d|20)|0*(?:9|10|13|32));/gi, ' ') : text;
}

const DECLARED = /^\uFEFF?\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)/;
/** Encodings in which ASCII characters only mean themselves, and UTF-16, which is decoded before. */
const KNOWN_ENCODING = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii|ascii|iso-8859-\d{1,2}|windows-125\d)$/i;

function hasKnownEncoding(text: string): boolean {
  const declared = DECLARED.exec(text)?.[1];
  return declared === undefined || KNOWN_ENCODING.test(declared.trim());
}

/** ">" in the value of an attribute, where patterns would see the end of the element, and text that looks like another attribute. */
const MARK_IN_VALUE = /=\s*(?:"[^"<>]*>|'[^'<>]*>|"[^"<]*=\s*'|'[^'<]*")/;
/** The declarations in front of the root element. */
const PROLOG = /^\uFEFF?\s*(?:<\?xml\s[^<>]*\?>\s*)?(?:<\?mso-application\s[^<>]*\?>\s*)?/;
/** A comment, an instruction, a section or a DTD. */
const MARK = /<[!?]/g;
/** A reference to a character of ASCII that needs none. */
const REFERENCE =
  /&#(?:x0*(?:2[13-589a-f]|3[0-9abdf]|[4-6][0-9a-f]|7[0-9a-e])|0*(?:33|3[5-7]|4\d|5[0-9]|61|6[3-9]|[7-9]\d|1[01]\d|12[0-6]));/i;
const BINDING = /\bxmlns(?::([^\s=:<>]+))?\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

function isUnusual(text: string): boolean {
  MARK.lastIndex = PROLOG.exec(text)?.[0].length ?? 0;
  if (MARK.test(text) || MARK_IN_VALUE.test(text) || (text.includes('&#') && REFERENCE.test(text))) return true;
  for (const [, prefix, one, other] of text.matchAll(BINDING)) {
    const uri = one ?? other ?? '';
    const customary = customaryPrefix(uri);
    if (uri.includes('&')) return true;
    if (customary === undefined ? !/^\w*$/.test(prefix ?? '') : prefix !== customary) return true;
  }
  return false;
}

/**
 * Name spaces of OpenDocument in each of their versions ([ODF 1.3] part 3, 2.2), and of the format before it, which programs still read.
 */
const OPEN_DOCUMENT =
  /^(?:urn:oasis:names:tc:[^:]{1,60}:xmlns:([a-z-]{1,60}):|http:\/\/openoffice\.org\/2000\/([a-z-]{1,60})$)/;
/** The names of vocabularies in which patterns look, with their prefixes. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ...['office', 'table', 'text', 'form', 'script', 'presentation', 'style'].map((name) => [name, name] as const),
  ['drawing', 'draw'],
]);
/** Vocabularies with names of their own. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['urn:schemas-microsoft-com:vml', 'v'],
]);
const CUSTOMARY = new Set([...PREFIXES.values(), ...NAMED.values()]);

function customaryPrefix(uri: string): string | undefined {
  const named = NAMED.get(uri);
  if (named !== undefined) return named;
  const [, current, before] = OPEN_DOCUMENT.exec(uri) ?? [];
  return PREFIXES.get(current ?? before ?? '');
}

/** The bindings of an element, and the bindings around it. */
interface Scope {
  readonly own: ReadonlyMap<string, string>;
  readonly around: Scope | null;
  readonly depth: number;
}

/**
 * The most elements around another that bind prefixes. Without it, each of thousands of elements could search thousands of others for a
 * prefix.
 */
const MAX_SCOPES = 64;
const MAX_DEPTH = 1_000;

function scopeIn(around: Scope | null, attributes: readonly (readonly [string, string])[]): Scope | null {
  const own = attributes.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (own.length === 0) return around;
  const depth = (around?.depth ?? 0) + 1;
  if (depth > MAX_SCOPES) throw new XmlStop();
  return { own: new Map(own.map(([name, uri]) => [name.slice('xmlns:'.length), uri])), around, depth };
}

/** Returns the name with its customary prefix. Any other vocabulary keeps its own, unless that means another one to the patterns. */
function customaryName(name: string, scope: Scope | null, isElement: boolean): string {
  const colon = name.indexOf(':');
  const prefix = name.slice(0, Math.max(colon, 0));
  const local = name.slice(colon + 1);
  // A name space without a prefix is that of elements alone.
  const customary = prefix === '' && !isElement ? undefined : customaryPrefix(uriOf(prefix, scope));
  if (customary !== undefined) return `${customary}:${local}`;
  if (prefix === '') return local;
  return /^\w+$/.test(prefix) && !CUSTOMARY.has(prefix) ? `${prefix}:${local}` : `x:${local}`;
}

function uriOf(prefix: string, innermost: Scope | null): string {
  for (let scope = innermost; scope !== null; scope = scope.around) {
    const uri = scope.own.get(prefix);
    if (uri !== undefined) return uri;
  }
  return '';
}

/** Returns the XML written anew. Returns null when it is not well-formed, uses entities of its own, or is over a bound. */
function rewritten(untrustedXml: string): string | null {
  const written: string[] = [];
  const scopes: (Scope | null)[] = [];
  const write = (piece: string) => void written.push(piece);
  const isRead = readXml(
    untrustedXml,
    {
      doctype: (doctype) => write(`<!DOCTYPE${doctype}>`),
      open(name, attributes, isEmpty) {
        const scope = scopeIn(scopes.at(-1) ?? null, attributes);
        scopes.push(scope);
        const values = attributes.filter(([one]) => !/^xmlns(?::|$)/.test(one));
        const spelled = values.map(([one, value]) => ` ${customaryName(one, scope, false)}="${escaped(value)}"`);
        write(`<${customaryName(name, scope, true)}${spelled.join('')}${isEmpty ? '/>' : '>'}`);
      },
      close(name, isEmpty) {
        const scope = scopes.pop() ?? null;
        if (!isEmpty) write(`</${customaryName(name, scope, true)}>`);
      },
      text: (text) => write(escaped(text)),
    },
    { depth: MAX_DEPTH },
  );
  return isRead ? written.join('') : null;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

const COMMENT_OR_DATA = /<!(?:--|\[CDATA\[)/g;

/** Returns the text without comments and marks of CDATA sections, which split words that Office reads as one. Takes linear time. */
function withoutComments(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  COMMENT_OR_DATA.lastIndex = 0;
  for (let found = COMMENT_OR_DATA.exec(text); found !== null; found = COMMENT_OR_DATA.exec(text)) {
    const isData = found[0] !== '<!--';
    const end = text.indexOf(isData ? ']]>' : '-->', COMMENT_OR_DATA.lastIndex);
    if (end === -1) break;
    pieces.push(
      text.slice(from, found.index),
      isData ? text.slice(COMMENT_OR_DATA.lastIndex, end).replaceAll('<', '&lt;') : '',
    );
    from = end + 3;
    COMMENT_OR_DATA.lastIndex = from;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(from);
}
