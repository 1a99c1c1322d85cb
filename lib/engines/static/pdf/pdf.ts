/** PDF: finds the names that make a document act, in its syntax and inside of its object streams. */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { EngineError, type Finding } from '../../engine.ts';
import { asFact, type FindingId, finding } from '../findings/findings.ts';
import type { ModuleResult, Piece, StaticFile, StaticModule, View } from '../findings/module.ts';
import { codesOnPages, NO_CODES } from '../pictures/codes.ts';
import { hasOnlyDocuments } from './attachments.ts';
import { pdfPieces } from './contents.ts';
import { decryptPdf } from './encryption.ts';
import { launchesByItself, type NumberedObject } from './launch.ts';
import { hasOnlyPlainScripts, observeScript, type ScriptsSeen } from './scripts.ts';
import { type PdfStream, splitPdf } from './streams.ts';
import { numberOf, numbersInStream, objectsIn, objectsInStream, type PdfToken, readTokens } from './tokens.ts';

/** Names with one meaning everywhere as a name (ISO 32000-1, tables 198, 28 and 169). */
const DANGEROUS_NAMES: Readonly<Record<string, FindingId>> = {
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

const SAFE_LINK = /^(?:https?:|mailto:|tel:|#|(?!\/\/)[^:\\]*$)/i;
const LINK_WITH_BYTE_ORDER_MARK = /^(?:\xfe\xff|\xff\xfe|\xef\xbb\xbf)/;
/** The most streams that the rules get. These are scripts and embedded files, and not page content or pictures. */
const MAX_VIEWS = 60;

export const pdfModule: StaticModule = {
  name: 'pdf',
  accepts: (type) => type === 'application/pdf',
  run: async (file) => {
    const plain = await judgePdf(file.bytes, file);
    const codes = plain.mayShowCode ? await codesOnPages(file.bytes) : NO_CODES;
    const isEncrypted = plain.names.has('Encrypt');
    const decrypted = isEncrypted ? await decryptPdf(file.bytes, file.limits) : null;
    const opened = decrypted === null ? null : await judgePdf(decrypted, file);
    const { views, pieces, understood } = opened ?? plain;
    const rest = isEncrypted && opened === null ? [finding('pdf-encrypted')] : polyglot(file.bytes);
    return {
      findings: [...plain.findings, ...(opened?.findings ?? []), ...rest, ...codes.findings],
      views: [...views, ...codes.views],
      pieces,
      understood: understood && (!isEncrypted || opened !== null),
    };
  },
};

interface PdfResult extends ModuleResult {
  readonly pieces: readonly Piece[];
  readonly names: ReadonlySet<string>;
  /** False for pages of text alone: they show no code, so they are not drawn. */
  readonly mayShowCode: boolean;
}

async function judgePdf(bytes: Uint8Array, { limits }: StaticFile): Promise<PdfResult> {
  const { syntax, streams } = splitPdf(bytes, limits);
  if (!/\d\s+\d+\s+obj\b/.test(syntax)) throw new EngineError('unreadable', 'the document has no objects');
  const seen: Seen = {
    names: new Set(),
    automatic: false,
    hasTriggers: false,
    unsafeLink: false,
    objectStreams: 0,
    isDisguised: false,
    command: null,
    scripts: { texts: [], references: new Set(), hasOthers: false },
  };
  const objects: NumberedObject[] = objectsIn(syntax).map((text) => ({ number: numberOf(text), text }));
  for (const { text } of objects) observe(text, seen);
  const objectStreams = streams.filter(isObjectStream);
  const allFound = seen.objectStreams === objectStreams.length;
  for (const { dictionary, content } of objectStreams) {
    const stream = asBuffer(content ?? new Uint8Array()).toString('latin1');
    // The first piece is the text in front of the objects.
    const numbers = [null, ...numbersInStream(dictionary, stream)];
    for (const [index, text] of objectsInStream(dictionary, stream).entries()) {
      observe(text, seen);
      objects.push({ number: numbers[index] ?? null, text });
    }
  }
  const isRead = allFound && objectStreams.every(({ complete }) => complete);
  // A name is disguised to hide something.
  const isPlain = isRead && !seen.isDisguised;
  const hasOnlyForms = isPlain && hasOnlyPlainScripts(seen.scripts, objects, streams);
  const launches = (seen.automatic || seen.hasTriggers) && seen.names.has('Launch') && launchesByItself(objects);
  const external = streams.some(({ dictionary }) => /\/(?:F|FFilter)\s{0,32}[(<[/]/.test(dictionary));
  return {
    findings: [
      ...findingsOf(seen, { hasOnlyForms, hasOnlyDocuments: isPlain && (await hasOnlyDocuments(objects, streams)) }),
      ...(launches ? [finding('pdf-opens-program')] : []),
      ...(external ? [finding('pdf-external-stream')] : []),
      ...(hasDamagedTable(syntax, bytes) ? [finding('pdf-malformed-xref')] : []),
    ],
    views: [
      // The rules also look for words in these objects, which a reader sees and a scanner of the raw file does not.
      ...objectStreams.map(({ content, offset }) => ({
        where: `objects at ${offset}`,
        bytes: content ?? new Uint8Array(),
      })),
      ...streams.flatMap(viewOf),
    ].slice(0, MAX_VIEWS),
    pieces: pdfPieces(streams, seen.scripts.texts),
    // Objects can hide in an object stream that was not found, not decoded, or cut off. A file without pages is not a document.
    understood: isRead && seen.names.has('Catalog') && seen.names.has('Page'),
    names: seen.names,
    mayShowCode: mayShowCode(seen.names, streams),
  };
}

/** Names that say that a page may draw a code without rectangles: pictures, glyphs that are drawings, tiles. */
const DRAWING_NAMES = ['Image', 'ImageMask', 'Type3', 'PatternType', 'Encrypt'];
/** The fewest rectangles or lines of a code. The smallest code has hundreds of modules, and some programs draw them in rows. */
const CODE_RECTANGLES = 40;
/** The most bytes of one stream that are searched for rectangles and lines. */
const MAX_DRAWING_BYTES = 256 * 1024;

function mayShowCode(names: ReadonlySet<string>, streams: readonly PdfStream[]): boolean {
  if (DRAWING_NAMES.some((name) => names.has(name))) return true;
  return streams.some(({ content }) => {
    const text = asBuffer(content?.subarray(0, MAX_DRAWING_BYTES) ?? new Uint8Array()).toString('latin1');
    // The page draws an inline picture, or many rectangles and lines.
    return /\bBI\s[\s\S]{1,400}?\bID\s/.test(text) || (text.match(/\d\s(?:re|l)\s/g)?.length ?? 0) >= CODE_RECTANGLES;
  });
}

function isObjectStream({ dictionary }: PdfStream): boolean {
  return /\/ObjStm\b/.test(decodeEscapes(dictionary));
}

function decodeEscapes(text: string): string {
  return text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Returns the view of a stream that is no page content, no font and no picture. It can be a script or a file. */
function viewOf({ dictionary, content, offset }: PdfStream): View[] {
  const isDrawing =
    /\/(?:Subtype\s{0,9}\/(?:Image|Form|Type1C|CIDFontType0C|OpenType)|FontFile|Length[123]\b|ObjStm|XRef|FunctionType|N\s+[134]\b)/.test(
      dictionary,
    );
  return content === null || content.length < 16 || isDrawing ? [] : [{ where: `stream at ${offset}`, bytes: content }];
}

/** The findings in the syntax of a document so far. */
interface Seen {
  readonly names: Set<string>;
  automatic: boolean;
  /** True for actions of pages, fields or the document that start without a click. */
  hasTriggers: boolean;
  unsafeLink: boolean;
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

function observe(text: string, seen: Seen): void {
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
  if (key === 'OpenAction' && value !== '[') seen.automatic = true;
  if (key === 'URI' && kind === 'string') seen.unsafeLink ||= !isSafeLink(value);
}

/** Whether the scripts and the attached files of a document are ordinary. */
interface Ordinary {
  readonly hasOnlyForms: boolean;
  readonly hasOnlyDocuments: boolean;
}

function findingsOf(seen: Seen, { hasOnlyForms, hasOnlyDocuments }: Ordinary): Finding[] {
  const { names, automatic, unsafeLink } = seen;
  const dangerous = [...names].flatMap((name) => {
    const id = Object.hasOwn(DANGEROUS_NAMES, name) ? DANGEROUS_NAMES[name] : undefined;
    if (id === 'pdf-javascript' && hasOnlyForms) return [finding('pdf-form-script')];
    if (id === 'pdf-embedded-file' && hasOnlyDocuments) return [asFact(finding(id))];
    return id === undefined ? [] : [finding(id)];
  });
  const acts = dangerous.some(({ level }) => level !== 'benign') || names.has('URI');
  return [
    ...dangerous,
    ...(seen.isDisguised ? [finding('pdf-obfuscated-name')] : []),
    ...(seen.command === null ? [] : [finding('pdf-runs-command', null, seen.command)]),
    // An automatic action that only moves to a page is harmless and common.
    ...((automatic || (seen.hasTriggers && !hasOnlyForms)) && acts ? [finding('pdf-open-action')] : []),
    ...(unsafeLink ? [finding('pdf-unsafe-link')] : []),
  ];
}

/** Returns true when the last `startxref` leads to no cross-reference table or stream. Readers then guess the places of objects. */
function hasDamagedTable(syntax: string, bytes: Uint8Array): boolean {
  const at = Number(/startxref\s{1,9}(\d{1,12})[^\d]{0,40}$/.exec(syntax.slice(-2_048))?.[1] ?? Number.NaN);
  if (Number.isNaN(at)) return syntax.includes('startxref');
  return !/^\s{0,4}(?:xref|\d{1,10}\s{1,4}\d{1,5}\s{1,4}obj)/.test(
    Buffer.from(bytes.subarray(at, at + 40)).toString('latin1'),
  );
}

function isSafeLink(untrustedLink: string): boolean {
  const text = LINK_WITH_BYTE_ORDER_MARK.test(untrustedLink)
    ? untrustedLink.replace(/[^\x21-\x7e]/g, '')
    : untrustedLink;
  return SAFE_LINK.test(text.replace(/[^\x21-\x7e]/g, ''));
}

/** Finds another format in front of the header. Readers search for the header, so there is room for one. */
function polyglot(bytes: Uint8Array): Finding[] {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).toString('latin1');
  return /^(?:\xef\xbb\xbf)?\s*%PDF-/.test(head) ? [] : [finding('polyglot', 'before the header')];
}
