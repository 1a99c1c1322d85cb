/**
 * Uses mailparser only to split MIME: every conversion is off, and every leaf is a stream. All use of its undocumented parts is in
 * this file.
 */
import { type AttachmentStream, MailParser } from 'mailparser';
import type { ReadingLimits } from '../model.ts';

/** Fields of MailParser that its types do not list. `textTypes` decides which parts it converts. */
interface ParserInternals {
  textTypes: string[];
  readonly curnode?: { readonly parent?: { readonly contentType?: string } };
  processChunk(data: unknown, done: (error?: unknown) => void): void;
  readonly splitter: { processLine(line: unknown, isFinal: boolean, next: (error?: unknown) => void): void };
}

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
  guardCallbacks(internals);
  return parser;
}

/**
 * Catches exceptions of two functions that run in callbacks of the event loop. An exception there would end the process, not this
 * reading.
 */
function guardCallbacks(parser: ParserInternals): void {
  const { splitter } = parser;
  const processChunk = parser.processChunk.bind(parser);
  const processLine = splitter.processLine.bind(splitter);
  parser.processChunk = (data, done) => {
    try {
      processChunk(data, done);
    } catch (error) {
      done(error);
    }
  };
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
  return curnode?.parent?.contentType === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
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
