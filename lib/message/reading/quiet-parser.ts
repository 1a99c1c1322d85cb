/**
 * Uses mailparser only to split MIME: every conversion is off, and every leaf is a stream. All use of its undocumented parts is in
 * this file.
 */
import type { Transform } from 'node:stream';
import { type AttachmentStream, MailParser } from 'mailparser';
import type { ReadingLimits } from '../model.ts';

/** A piece of the splitter is the header of a part, bytes of a leaf, or bytes behind a leaf. */
type Piece = { readonly type: 'node' } | { readonly type: 'body'; readonly value: Buffer } | { readonly type: 'data' };

/** Fields of MailParser that its types do not list. `textTypes` decides which parts it converts. */
interface ParserInternals {
  textTypes: string[];
  /** The part that is read; false before the first one. */
  readonly curnode?: false | { readonly decoder?: Transform; readonly parent?: { readonly contentType?: string } };
  processChunk(data: unknown, done: (error?: unknown) => void): void;
  /** Takes the pieces that the splitter has found, each in a turn of the event loop. */
  readData(): void;
  endStream(): void;
  /** Set once the splitter has failed. */
  readonly hasFailed: boolean;
  /** True while a piece is worked on. */
  reading: boolean;
  readonly endReceived: boolean;
  readonly waitingEnd?: false | ((error: unknown) => void);
  /** True until the reader of a leaf has released it. */
  readonly waitUntilAttachmentEnd: boolean;
  /** Called when it has. */
  attachmentCallback: false | (() => void);
  readonly splitter: {
    read(): Piece | null;
    processLine(line: unknown, isFinal: boolean, next: (error?: unknown) => void): void;
  };
}

/** Pieces that are worked on in one turn of the event loop: some milliseconds of work. A small mail has fewer. */
const PIECES_PER_TURN = 50;

/** Returns a parser for one message. It only decodes transfer encodings and hashes with SHA-256. */
export function createQuietParser(limits: ReadingLimits): MailParser {
  const options = {
    checksumAlgo: 'sha256',
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepCidLinks: true,
    ignoreEmbedded: true,
    maxHeadSize: limits.headerBytes,
    maxChildNodes: limits.parts + 1,
  };
  const parser = new MailParser(options);
  const internals = parser as unknown as ParserInternals;
  // With an empty list every leaf is a stream. No body is held in memory or converted, and no named text is merged into the body.
  internals.textTypes = [];
  guardLines(internals);
  internals.readData = () => readPieces(parser, internals);
  return parser;
}

/**
 * Does what `readData` of mailparser does, but waits for a turn of the event loop only after many pieces. mailparser waits twice behind each
 * piece, and a turn takes longer than most pieces: a small mail has twenty of them.
 */
function readPieces(parser: MailParser, internals: ParserInternals): void {
  const goOn = () => internals.readData();
  for (let count = 1; !internals.hasFailed; count++) {
    internals.reading = true;
    const piece = internals.splitter.read();
    if (piece === null) {
      internals.reading = false;
      if (internals.endReceived) internals.endStream();
      return;
    }
    try {
      if (!isTaken(internals, piece, goOn)) return;
    } catch (error) {
      stopWith(parser, internals, error);
      return;
    }
    if (count >= PIECES_PER_TURN) return void setImmediate(goOn);
  }
}

/**
 * Does what `processChunk` of mailparser does with a piece, and returns true when that is done. Otherwise the reader of a leaf must take its
 * bytes first, and `goOn` is called when it has. Throws what mailparser throws.
 */
function isTaken(internals: ParserInternals, piece: Piece, goOn: () => void): boolean {
  const decoder = internals.curnode ? internals.curnode.decoder : undefined;
  if (piece.type === 'body') {
    if (!decoder?.writable || decoder.write(piece.value)) return true;
    decoder.once('drain', goOn);
    return false;
  }
  if (piece.type === 'data') {
    decoder?.end();
    if (!internals.waitUntilAttachmentEnd) return true;
    internals.attachmentCallback = goOn;
    return false;
  }
  // It is done when this returns, and says so a turn later.
  internals.processChunk(piece, () => undefined);
  return true;
}

function stopWith(parser: MailParser, { waitingEnd }: ParserInternals, error: unknown): void {
  if (typeof waitingEnd === 'function') waitingEnd(error);
  else parser.emit('error', error);
}

/** Catches exceptions of a function that runs in a callback of the event loop. An exception there would end the process, not this reading. */
function guardLines({ splitter }: ParserInternals): void {
  const processLine = splitter.processLine.bind(splitter);
  // There is no function around both, because it would be made for every line of a mail.
  splitter.processLine = (line, isFinal, next) => {
    try {
      processLine(line, isFinal, next);
    } catch (error) {
      next(error);
    }
  };
}

/** Returns the type of a leaf in lower case. When it declares none, it is the default of RFC 2045 §5.2 or RFC 2046 §5.1.5. */
export function declaredTypeOf(attachment: AttachmentStream, parser: MailParser): string {
  const header = attachment.headers.get('content-type');
  if (header !== undefined && typeof header === 'object' && 'value' in header)
    return String(header.value).toLowerCase().trim();
  const { curnode } = parser as unknown as ParserInternals;
  return (curnode || undefined)?.parent?.contentType === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
}

/** Returns the names that mailparser reads for a leaf, in Content-Disposition and in Content-Type. */
export function namesOf(attachment: AttachmentStream): readonly string[] {
  const names = ['content-disposition', 'content-type'].flatMap((name) => {
    const header = attachment.headers.get(name);
    if (header === undefined || typeof header !== 'object' || !('params' in header)) return [];
    return Object.entries(header.params as Record<string, unknown>).flatMap(([key, value]) =>
      /^(?:file)?name$/.test(key) ? [String(value)] : [],
    );
  });
  return names.filter((name) => name !== '');
}
