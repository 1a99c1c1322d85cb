/** Notes what the syntax of a PDF says: its names, its links, its scripts, and what starts by itself. */
import type { FindingId } from '../findings/findings.ts';
import { judgeClicked } from '../findings/link-target.ts';
import { observeScript, type ScriptsSeen } from './scripts.ts';
import { type PdfToken, readTokens } from './tokens.ts';

/** Names with one meaning everywhere as a name (ISO 32000-1, tables 198, 28 and 169). */
export const DANGEROUS_NAMES: Readonly<Record<string, FindingId>> = {
  JavaScript: 'pdf-javascript',
  JS: 'pdf-javascript',
  Launch: 'pdf-launch',
  EmbeddedFile: 'pdf-embedded-file',
  EmbeddedFiles: 'pdf-embedded-file',
  FileAttachment: 'pdf-embedded-file',
  EF: 'pdf-embedded-file',
  RichMedia: 'pdf-rich-media',
  RichMediaContent: 'pdf-rich-media',
  '3D': 'pdf-rich-media',
  U3D: 'pdf-rich-media',
  Movie: 'pdf-rich-media',
  Sound: 'pdf-rich-media',
  Rendition: 'pdf-rich-media',
  XFA: 'pdf-xfa',
  SubmitForm: 'pdf-remote',
  ImportData: 'pdf-remote',
  GoToR: 'pdf-remote',
  GoToE: 'pdf-remote',
};

/** Pages, mail and telephone, and paths that start from the document. */
const SAFE_LINK = /^(?:https?:|mailto:|tel:|#|(?!\/\/)[^:\\]*$)/i;
const LINK_WITH_BYTE_ORDER_MARK = /^(?:\xfe\xff|\xff\xfe|\xef\xbb\xbf)/;

/** The findings in the syntax of a document so far. */
export interface Seen {
  readonly names: Set<string>;
  /** True when actions of pages, fields or the document may start without a click. */
  hasTriggers: boolean;
  /** The first link that reaches elsewhere than links of documents do. */
  unsafeLink: string | null;
  /** The number of streams that say that they hold objects. */
  objectStreams: number;
  /** True when an active name was written with escapes. */
  isDisguised: boolean;
  /** A program or command that an action names. */
  command: string | null;
  readonly scripts: ScriptsSeen;
}

const COMMAND =
  /(?:^|[\\/\s"(])(?:cmd|powershell|pwsh|mshta|wscript|cscript|rundll32|regsvr32|bash|sh)(?:\.exe)?(?:$|[\s"/)])|\.(?:exe|scr|bat|cmd|vbs|js|hta|ps1|lnk)$/i;

/** Returns that nothing was found so far. */
export const nothingSeen = (): Seen => ({
  names: new Set(),
  hasTriggers: false,
  unsafeLink: null,
  objectStreams: 0,
  isDisguised: false,
  command: null,
  scripts: { texts: [], references: new Set(), hasOthers: false },
});

/** Adds what one object says. */
export function observe(text: string, seen: Seen): void {
  let launches = false;
  readTokens(text, (token, afterName) => {
    if (token.kind === 'name') {
      observeName(token, seen);
      launches ||= token.value === 'Launch';
    }
    if (launches && token.kind === 'string' && COMMAND.test(token.value)) seen.command ??= token.value;
    if (afterName !== null) observeValue(afterName, token, seen);
  });
}

/**
 * The files of a file specification; an array in usage rights of a form, which says what Acrobat Reader may do (ISO 32000-1, table 255).
 */
const FILES_OR_RIGHTS = 'EF';

function observeName({ value, escaped }: Extract<PdfToken, { readonly kind: 'name' }>, seen: Seen): void {
  if (value !== FILES_OR_RIGHTS) seen.names.add(value);
  if (escaped && Object.hasOwn(DANGEROUS_NAMES, value)) seen.isDisguised = true;
  if (value === 'ObjStm') seen.objectStreams++;
}

/** Takes a token directly behind a name, which is the value of that key. */
function observeValue(key: string, token: PdfToken, seen: Seen): void {
  const { kind, value } = token;
  if (key === 'JS') observeScript(token, seen.scripts);
  if (key === 'AA') seen.hasTriggers = true;
  if (key === FILES_OR_RIGHTS && value !== '[') seen.names.add(key);
  // An array names the place of the document that is shown first. Every word processor writes one.
  if (key === 'OpenAction' && value !== '[') seen.hasTriggers = true;
  if (key === 'URI' && kind === 'string' && !isSafeLink(value)) seen.unsafeLink ??= value;
}

function isSafeLink(untrustedLink: string): boolean {
  const text = LINK_WITH_BYTE_ORDER_MARK.test(untrustedLink)
    ? untrustedLink.replace(/[^\x21-\x7e]/g, '')
    : untrustedLink;
  return SAFE_LINK.test(text.replace(/[^\x21-\x7e]/g, '')) || judgeClicked(text) !== 'office-unsafe-link';
}
