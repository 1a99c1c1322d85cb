/** PDF: the names that make a document act, in its syntax and inside its object streams. */
import { EngineError, type Finding } from '../engine.ts';
import { type FindingId, finding } from './findings.ts';
import type { ModuleResult, StaticFile, StaticModule, View } from './module.ts';
import { decryptPdf } from './pdf-encryption.ts';
import { type PdfStream, splitPdf } from './pdf-streams.ts';
import { objectsIn, objectsInStream, readTokens } from './pdf-tokens.ts';

/** Names that mean one thing wherever they stand as a name (ISO 32000-1, tables 198, 28 and 169). */
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
/** Streams handed to the rules: scripts and embedded files, not page content or pictures. */
const MAX_VIEWS = 60;

export const pdfModule: StaticModule = {
  name: 'pdf',
  accepts: (type) => type === 'application/pdf',
  run: async (file) => {
    const plain = judgePdf(file.bytes, file);
    const isEncrypted = plain.names.has('Encrypt');
    const decrypted = isEncrypted ? await decryptPdf(file.bytes) : null;
    if (!isEncrypted) return { ...plain, findings: [...plain.findings, ...polyglot(file.bytes)] };
    if (decrypted === null)
      return { ...plain, findings: [...plain.findings, finding('pdf-encrypted')], understood: false };
    const opened = judgePdf(decrypted, file);
    return {
      findings: [...plain.findings, ...opened.findings, ...polyglot(file.bytes)],
      views: opened.views,
      understood: opened.understood,
    };
  },
};

interface PdfResult extends ModuleResult {
  readonly names: ReadonlySet<string>;
}

function judgePdf(bytes: Uint8Array, { limits }: StaticFile): PdfResult {
  const { syntax, streams } = splitPdf(bytes, limits);
  if (!/\d\s+\d+\s+obj\b/.test(syntax)) throw new EngineError('unreadable', 'the document has no objects');
  const seen: Seen = { names: new Set(), automatic: false, unsafeLink: false, objectStreams: 0 };
  for (const object of objectsIn(syntax)) observe(object, seen);
  const objectStreams = streams.filter(isObjectStream);
  const allFound = seen.objectStreams === objectStreams.length;
  for (const { dictionary, content } of objectStreams) {
    const text = Buffer.from(content ?? []).toString('latin1');
    for (const object of objectsInStream(dictionary, text)) observe(object, seen);
  }
  const external = streams.some(({ dictionary }) => /\/(?:F|FFilter)\s{0,32}[(<[/]/.test(dictionary));
  return {
    findings: [...findingsOf(seen), ...(external ? [finding('pdf-external-stream')] : [])],
    views: streams.flatMap(viewOf).slice(0, MAX_VIEWS),
    // Objects can hide in an object stream that was not found, not decoded, or cut off; and a file without pages is no document.
    understood:
      allFound &&
      objectStreams.every(({ complete }) => complete) &&
      seen.names.has('Catalog') &&
      seen.names.has('Page'),
    names: seen.names,
  };
}

function isObjectStream({ dictionary }: PdfStream): boolean {
  return /\/ObjStm\b/.test(decodeEscapes(dictionary));
}

function decodeEscapes(text: string): string {
  return text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Page content draws, fonts and pictures are drawn: what is left can be a script or a file. */
function viewOf({ dictionary, content, offset }: PdfStream): View[] {
  const isDrawing =
    /\/(?:Subtype\s{0,9}\/(?:Image|Form|Type1C|CIDFontType0C|OpenType)|FontFile|Length[123]\b|ObjStm|XRef|FunctionType|N\s+[134]\b)/.test(
      dictionary,
    );
  return content === null || content.length < 16 || isDrawing ? [] : [{ where: `stream at ${offset}`, bytes: content }];
}

/** What the syntax of a document showed so far. */
interface Seen {
  readonly names: Set<string>;
  automatic: boolean;
  unsafeLink: boolean;
  /** How many streams say that they hold objects. */
  objectStreams: number;
}

function observe(text: string, seen: Seen): void {
  readTokens(text, (token, afterName) => {
    if (token.kind === 'name') seen.names.add(token.value);
    if (token.kind === 'name' && token.value === 'ObjStm') seen.objectStreams++;
    if (afterName === 'AA') seen.automatic = true;
    // An array is a place in the document to show first: what every word processor writes.
    if (afterName === 'OpenAction' && token.value !== '[') seen.automatic = true;
    if (afterName === 'URI' && token.kind === 'string') seen.unsafeLink ||= !isSafeLink(token.value);
  });
}

function findingsOf({ names, automatic, unsafeLink }: Seen): Finding[] {
  const dangerous = [...names].flatMap((name) => {
    const id = Object.hasOwn(DANGEROUS_NAMES, name) ? DANGEROUS_NAMES[name] : undefined;
    return id === undefined ? [] : [finding(id)];
  });
  const acts = dangerous.length > 0 || names.has('URI');
  return [
    ...dangerous,
    // An automatic action that only moves to a page is harmless, and common.
    ...(automatic && acts ? [finding('pdf-open-action')] : []),
    ...(unsafeLink ? [finding('pdf-unsafe-link')] : []),
  ];
}

function isSafeLink(untrustedLink: string): boolean {
  const text = LINK_WITH_BYTE_ORDER_MARK.test(untrustedLink)
    ? untrustedLink.replace(/[^\x21-\x7e]/g, '')
    : untrustedLink;
  return SAFE_LINK.test(text.replace(/[^\x21-\x7e]/g, ''));
}

/** Readers search for the header, so another format fits in front of it. */
function polyglot(bytes: Uint8Array): Finding[] {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).toString('latin1');
  return /^(?:\xef\xbb\xbf)?\s*%PDF-/.test(head) ? [] : [finding('polyglot', 'before the header')];
}
