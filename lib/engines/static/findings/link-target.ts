/**
 * One rule for where the links of documents lead. A link waits for a click, and what a document loads does not: so a link to the web or to a
 * file within the network of the sender is ordinary, and a picture from there is not.
 */
import { RUN_FROM_ARCHIVES } from '../../../formats/names/acting-names.ts';
import type { FindingId } from './findings.ts';

/**
 * - `inside`: a place in the document, or a path that starts from it.
 * - `web`: a page, a mail or a telephone number.
 * - `drive`: a file on the machine of the reader.
 * - `near`: a file on another machine, which the name says to be in the same network.
 * - `far`: a file on any other machine.
 * - `acts`: a script, a program, or any other scheme.
 */
type Place = 'inside' | 'web' | 'drive' | 'near' | 'far' | 'acts';

/** The finding for a target that is followed on a click; null for an ordinary one. */
export function judgeClicked(untrustedTarget: string): FindingId | null {
  switch (placeOf(untrustedTarget)) {
    case 'inside':
    case 'web':
      return null;
    case 'drive':
    case 'near':
      return 'office-file-link';
    default:
      return 'office-unsafe-link';
  }
}

/** The finding for a target that is loaded when the document is opened; null for a place in the document. */
export function judgeLoaded(untrustedTarget: string): FindingId | null {
  if (WITHIN.test(untrustedTarget)) return null;
  switch (placeOf(untrustedTarget)) {
    case 'inside':
      return null;
    case 'drive':
      return 'office-file-link';
    default:
      return SCRIPT.test(visible(untrustedTarget)) ? 'office-unsafe-link' : 'office-external-content';
  }
}

/** Pictures of the same mail or document, and what loads nothing. `wordml:` names a file in a document of Word 2003. */
const WITHIN = /^\s*(?:cid:|wordml:|data:image\/|(?:mailto|tel):)/i;
/** The longest target that is read. */
const MAX_TARGET = 4_000;
const SCRIPT = /^(?:javascript|vbscript|data|mhtml|ms-[a-z-]{1,40}|search-ms|vnd\.sun\.star\.(?:script|expand)):/i;
/** Pages, mail and telephone, and a host with its port. A mail that takes a file along is none of these. */
const WEB = /^(?:https?:|tel:|mailto:(?!.*[?&;]attach)|(?!vnd\.)[a-z\d-]+(?:\.[a-z\d-]+)+:\d{1,5}(?:\/|$))/i;
/** Some programs put a dot in front of their own scheme. A single letter is a drive. */
const SCHEME = /^\.?[a-z][a-z\d+.-]{1,80}:/i;

/** The target without control characters, invisible ones and blanks, which would hide its scheme from a comparison. */
function visible(untrustedTarget: string): string {
  return untrustedTarget.slice(0, MAX_TARGET).replace(/[\p{Cc}\p{Cf}\s]/gu, '');
}

function placeOf(untrustedTarget: string): Place {
  const target = visible(untrustedTarget);
  if (WEB.test(target)) return 'web';
  const isFile = /^(?:file|smb):/i.test(target);
  if (!isFile && SCHEME.test(target)) return 'acts';
  const path = decoded(target.replace(/^(?:file|smb):/i, '')).replaceAll('\\', '/');
  const host = hostOf(path, isFile);
  const isDrive = host === '' && (isFile || /^\/*[a-z][:|]/i.test(path));
  if (host === '' && !isDrive) return 'inside';
  if (RUN_FROM_ARCHIVES.has(extensionOf(path))) return 'acts';
  return isDrive ? 'drive' : isNear(host) ? 'near' : 'far';
}

/** Windows also reads slashes and letters that are written with a percent sign. */
function decoded(path: string): string {
  return path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * The machine of a path with forward slashes; empty for this one. Without a scheme it follows two slashes. With one it follows two, or four and
 * more: `file:///C:/a` is here.
 */
function hostOf(path: string, isFile: boolean): string {
  const [slashes = ''] = /^\/*/.exec(path) ?? [];
  if (slashes.length < 2 || (isFile && slashes.length === 3)) return '';
  const [first = '', second = '', third = ''] = path.slice(slashes.length).toLowerCase().split('/');
  // `\\?\UNC\host\share` and `\\?\C:\a`
  const isDevice = first === '?' || first === '.';
  const host = isDevice && second === 'unc' ? third : isDevice && second.endsWith(':') ? second : first;
  return /^[a-z][:|]$/.test(host) || host === 'localhost' ? '' : host;
}

/** Names that no public server has: a word alone, the endings for networks of one's own (RFC 6762, RFC 8375, ICANN), and private addresses. */
const NEAR = [
  /^(?=.*[a-z])(?!0x)[a-z\d_$-]{1,63}$/,
  /\.(?:local|localdomain|lan|internal|intern|corp|home|private|home\.arpa)$/,
  /^(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}$/,
];

function isNear(host: string): boolean {
  return NEAR.some((pattern) => pattern.test(host));
}

/** The extension of the last name, as Windows reads it. */
function extensionOf(path: string): string {
  const [name = ''] = path.slice(path.lastIndexOf('/') + 1).split(/[?#]/, 1);
  return /\.([a-z\d-]{1,20})[.\s]*$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}
