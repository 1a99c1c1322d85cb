/**
 * One rule for the targets of links of documents. A link waits for a click, and content that a document loads does not. So a link to the
 * web or to a file within the network of the sender is ordinary, and a picture from there is not.
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

/** Returns the finding for a target that is followed on a click, or null for an ordinary one. */
export function judgeClicked(untrustedTarget: string): FindingId | null {
  if (INERT_SCRIPT.test(visible(untrustedTarget))) return null;
  switch (placeOf(untrustedTarget)) {
    case 'inside':
      return namesProgram(untrustedTarget) ? 'office-unsafe-link' : null;
    case 'web':
      return null;
    case 'drive':
    case 'near':
      return 'office-file-link';
    default:
      return 'office-unsafe-link';
  }
}

/** Returns the finding for a target that is loaded when the document is opened, or null for a place in the document. */
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

/**
 * Returns true for a template that does nothing on another machine. Word notes the template of a document, mostly as a path on the drive of
 * the writer, and other machines have nothing there. A template of a share or of the web is loaded, and the result is false.
 */
export function isOwnFile(untrustedTarget: string): boolean {
  const loaded = judgeLoaded(untrustedTarget);
  return loaded === null || loaded === 'office-file-link';
}

/**
 * Returns true for a file beside the document, on the machine of the reader or in the network of the sender, that no program runs. Sheets
 * name other workbooks in this way, and charts name their workbook.
 */
export function isNearFile(untrustedTarget: string): boolean {
  const place = placeOf(untrustedTarget);
  return place === 'drive' || place === 'near' || (place === 'inside' && !namesProgram(untrustedTarget));
}

/** Extensions of programs that are also endings of hosts (`www.example.com`) or of sources that a document is about. */
const ALSO_OTHER = new Set(['com', 'app', 'sh', 'py', 'one', 'js', 'class', 'inf', 'reg', 'url']);

/**
 * Returns whether a path that starts from the document leads to a program. The program comes with the document, in an archive or on a disk
 * image.
 */
function namesProgram(untrustedTarget: string): boolean {
  const path = decoded(visible(untrustedTarget)).replaceAll('\\', '/');
  return runs(path) && !extensionsOf(path).some((extension) => ALSO_OTHER.has(extension));
}

/** Pictures of the same mail or document, and targets that load nothing. `wordml:` names a file in a document of Word 2003. */
const WITHIN = /^\s*(?:cid:|wordml:|data:image\/|(?:mailto|tel):)/i;
/** The longest target that is read. */
const MAX_TARGET = 4_000;
/**
 * A script without content, and one that only calls a function of the page that the link was copied from: `javascript:void(0)`,
 * `javascript:toggleToc()`. No document has that function.
 */
const INERT_SCRIPT = /^javascript:(?:\/\/)?(?:void\(?0?\)?|(?:[a-z_$][\w$]{0,60}\.){0,4}[a-z_$][\w$]{0,60}\(\))?;?$/i;
const SCRIPT = /^(?:javascript|vbscript|data|mhtml|ms-[a-z-]{1,40}|search-ms|vnd\.sun\.star\.(?:script|expand)):/i;
/**
 * Pages, files of the web, mail and telephone, names of newsgroups and publications, and a host with its port. No system starts a program of its
 * own for one of these. A mail with an attached file is not on the list.
 */
const WEB =
  /^(?:https?:|ftps?:|tel:|news:|nntp:|doi:|urn:|arxiv:|ctan:|mailto:(?!.*[?&;]attach)|(?!vnd\.)[a-z\d-]+(?:\.[a-z\d-]+)+:\d{1,5}(?:\/|$))/i;
/** Some programs put a dot in front of their own scheme. A single letter is a drive. */
const SCHEME = /^\.?[a-z][a-z\d+.-]{1,80}:/i;

/** Returns the target without control characters, invisible ones and blanks, which would hide its scheme from a comparison. */
function visible(untrustedTarget: string): string {
  return untrustedTarget.slice(0, MAX_TARGET).replace(/[\p{Cc}\p{Cf}\s]/gu, '');
}

function placeOf(untrustedTarget: string): Place {
  const target = visible(untrustedTarget);
  if (WEB.test(target)) return 'web';
  const isFile = /^(?:file|smb):/i.test(target);
  if (!isFile && SCHEME.test(target)) return 'acts';
  const path = decoded(target.replace(/^file:|^smb:\/*/i, (scheme) => (/^smb/i.test(scheme) ? '//' : '')))
    .replaceAll('\\', '/')
    .replace(ABOVE_ROOT, '//');
  const host = hostOf(path, isFile);
  const isDrive = host === '' && (isFile || /^\/\/|^\/*[a-z][:|]/i.test(path));
  if (host === '' && !isDrive) return 'inside';
  if (runs(path)) return 'acts';
  return isDrive ? 'drive' : isNear(host) ? 'near' : 'far';
}

/** A way up that leads above the root of a drive. The rest of `../../..//host/a` begins with the two slashes of a share. */
const ABOVE_ROOT = /^\/*(?:\.\/)*(?:\.\.\/){2,}\/+/;

/** Decodes slashes and letters that are written with a percent sign, because Windows decodes them, too. */
function decoded(path: string): string {
  return path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * Returns the machine of a path with forward slashes, or an empty text for this one. Without a scheme it follows two slashes. With one it
 * follows two, or four and more: `file:///C:/a` is here. The path after this machine can name another one: `file://localhost//host/a`.
 */
function hostOf(path: string, isFile: boolean): string {
  // `\\?\UNC\host\share`, `\\?\C:\a`, and `\??\UNC\host\share` as Windows itself writes it
  const device = /^\/+(?:\?{1,2}|\.)\/+(?:(?:global\/+)?unc\/+([^/]+)|[a-z]:)/i.exec(path);
  if (device !== null) return device[1]?.toLowerCase() ?? '';
  const [slashes = ''] = /^\/*/.exec(path) ?? [];
  if (slashes.length < 2 || (isFile && slashes.length === 3)) return '';
  const [host = ''] = path.slice(slashes.length).toLowerCase().split('/', 1);
  if (host === 'localhost') return hostOf(path.slice(slashes.length + host.length), false);
  return /^[a-z][:|]$/.test(host) ? '' : host;
}

/**
 * Names that no public server has: a word alone, the endings for networks of one's own (RFC 6762, RFC 8375, ICANN), and private addresses.
 */
const NEAR = [
  /^(?=.*[a-z])(?!0x)[a-z\d_$-]{1,63}$/,
  /\.(?:local|localdomain|lan|internal|intern|corp|home|private|home\.arpa)$/,
  /^(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}$/,
];

function isNear(host: string): boolean {
  return NEAR.some((pattern) => pattern.test(host));
}

/** File types that Windows runs or follows beside the programs that archives can hold: consoles, and installers of the web. */
const ALSO_RUN = new Set(['msc', 'appinstaller', 'msixbundle', 'appxbundle', 'application', 'vsto', 'xbap', 'diagcab']);

function runs(path: string): boolean {
  return extensionsOf(path).some((extension) => RUN_FROM_ARCHIVES.has(extension) || ALSO_RUN.has(extension));
}

/**
 * Returns the extensions of the last name, as Windows reads it: also in front of the name of a stream (`a.exe::$DATA`), and in that name.
 */
function extensionsOf(path: string): string[] {
  const [name = ''] = path.slice(path.lastIndexOf('/') + 1).split(/[?#]/, 1);
  return name.split(':').map((one) => /\.([a-z\d-]{1,20})[.\s]*$/i.exec(one)?.[1]?.toLowerCase() ?? '');
}
