/** PDF: finds the names that make a document act, in its syntax and inside of its object streams. */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { beginsLikeFile } from '../../../formats/signatures.ts';
import { EngineError, type Finding } from '../../engine.ts';
import { asFact, type FindingId, finding } from '../findings/findings.ts';
import type { ModuleResult, Piece, StaticFile, StaticModule, View } from '../findings/module.ts';
import { codesOnPages, NO_CODES } from '../pictures/codes.ts';
import { attachedFiles, hasOnlyDocuments } from './attachments.ts';
import { automaticActions } from './automatic.ts';
import { pdfPieces } from './contents.ts';
import { decryptPdf } from './encryption.ts';
import { findingsOf, launchesByItself, onlyMoves } from './judge.ts';
import { opensOnlyNearDocuments } from './near-documents.ts';
import { DANGEROUS_NAMES, nothingSeen, observe } from './observe.ts';
import { hasOnlyPlainScripts } from './scripts.ts';
import { type PdfStream, splitPdf } from './streams.ts';
import { numberOf, objectsIn, objectsInStream, withoutEscapes } from './tokens.ts';
import type { NumberedObject } from './values.ts';

const ACTIVE: ReadonlySet<string> = new Set([...Object.keys(DANGEROUS_NAMES), 'URI', 'OpenAction', 'AA']);

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
      findings: [
        ...(isEncrypted ? readable(plain, opened) : plain.findings),
        ...(opened?.findings ?? []),
        ...rest,
        ...codes.findings,
      ],
      views: [...views, ...codes.views],
      pieces,
      understood: understood && (!isEncrypted || opened !== null),
    };
  },
};

/** Findings that depend on what strings and streams say. */
const OF_CONTENT: ReadonlySet<string> = new Set<FindingId>([
  'pdf-javascript',
  'pdf-form-script',
  'pdf-embedded-file',
  'pdf-launch',
  'pdf-remote',
  'pdf-open-action',
  'pdf-unsafe-link',
]);

/**
 * Returns the findings in the encrypted syntax that hold without its strings and streams. The others hold where the decrypted document does not
 * show every name of the encrypted one. An encrypted link is no address, and it has bytes that no address has.
 */
function readable(plain: PdfResult, opened: PdfResult | null): Finding[] {
  const isGarbled = ({ id, evidence = '' }: Finding) => id === 'pdf-unsafe-link' && /[^\x20-\x7e]/.test(evidence);
  const showsAll = opened !== null && [...plain.names].every((name) => opened.names.has(name) || !ACTIVE.has(name));
  return plain.findings.filter((one) => !isGarbled(one) && !(showsAll && OF_CONTENT.has(one.id)));
}

interface PdfResult extends ModuleResult {
  readonly pieces: readonly Piece[];
  readonly names: ReadonlySet<string>;
  /** False for pages of text alone: they show no code, so they are not drawn. */
  readonly mayShowCode: boolean;
}

async function judgePdf(bytes: Uint8Array, { limits }: StaticFile): Promise<PdfResult> {
  const { syntax, streams } = splitPdf(bytes, limits);
  if (!/\d\s+\d+\s+obj\b/.test(syntax)) throw new EngineError('unreadable', 'the document has no objects');
  const seen = nothingSeen();
  const objects: NumberedObject[] = objectsIn(syntax).map((text) => ({ number: numberOf(text), text }));
  for (const { text } of objects) observe(text, seen);
  const objectStreams = streams.filter(isObjectStream);
  const allFound = seen.objectStreams === objectStreams.length;
  for (const { dictionary, content } of objectStreams) {
    const stream = asBuffer(content ?? new Uint8Array()).toString('latin1');
    for (const object of objectsInStream(dictionary, stream)) {
      observe(object.text, seen);
      objects.push(object);
    }
  }
  const isRead = allFound && objectStreams.every(({ complete }) => complete);
  // A name is disguised to hide something.
  const isPlain = isRead && !seen.isDisguised;
  const hasOnlyForms = isPlain && hasOnlyPlainScripts(seen.scripts, objects, streams);
  const actions = seen.hasTriggers ? automaticActions(objects) : null;
  const attached = attachedFiles(objects);
  const external = streams.some(({ dictionary }) => /\/(?:F|FFilter)\s{0,32}[(<[/]/.test(dictionary));
  return {
    findings: [
      ...findingsOf(seen, {
        hasOnlyForms,
        hasOnlyDocuments: isPlain && (await hasOnlyDocuments(attached, streams)),
        opensOnlyNear: isPlain && opensOnlyNearDocuments(objects),
        onlyMoves: actions === null || (isPlain && onlyMoves(actions, hasOnlyForms)),
      }),
      ...(actions !== null && launchesByItself(actions, seen, objects) ? [finding('pdf-opens-program')] : []),
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
    pieces: pdfPieces(streams, seen.scripts.texts, attached),
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
  return /\/ObjStm\b/.test(withoutEscapes(dictionary));
}

/** Returns the view of a stream that is no page content, no font and no picture. It can be a script or a file. */
function viewOf({ dictionary, content, offset }: PdfStream): View[] {
  const isDrawing =
    /\/(?:Subtype\s{0,9}\/(?:Image|Form|Type1C|CIDFontType0C|OpenType)|FontFile|Length[123]\b|ObjStm|XRef|FunctionType|N\s+[134]\b)/.test(
      dictionary,
    );
  return content === null || content.length < 16 || isDrawing ? [] : [{ where: `stream at ${offset}`, bytes: content }];
}

/** Returns true when the last `startxref` leads to no cross-reference table or stream. Readers then guess the places of objects. */
function hasDamagedTable(syntax: string, bytes: Uint8Array): boolean {
  const at = Number(/startxref\s{1,9}(\d{1,12})[^\d]{0,40}$/.exec(syntax.slice(-2_048))?.[1] ?? Number.NaN);
  if (Number.isNaN(at)) return syntax.includes('startxref');
  return !/^\s{0,4}(?:xref|\d{1,10}\s{1,4}\d{1,5}\s{1,4}obj)/.test(
    Buffer.from(bytes.subarray(at, at + 40)).toString('latin1'),
  );
}

/**
 * Finds another format in front of the header. Readers search for the header, so there is room for one. A few words there, as programs write
 * them that keep the answer of a server, are a fact.
 */
function polyglot(bytes: Uint8Array): Finding[] {
  const head = asBuffer(bytes).toString('latin1', 0, MAX_BEFORE_HEADER);
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-/.test(head)) return [];
  const found = finding('polyglot', 'before the header');
  return [/^(?:[\w\s.,:;-]|\/(?=\w))*%PDF-/.test(head) && !beginsLikeFile(bytes) ? asFact(found) : found];
}

/** The most bytes in which readers search for the header. */
const MAX_BEFORE_HEADER = 1_024;
