/**
 * Finds the messages of an mbox (RFC 4155, mboxrd quoting) in one pass that holds one piece of the file at a time. Each
 * message becomes an input labelled `PATH#N`, N from 1. Its bytes are read later, when it is scanned.
 */
import { open } from 'node:fs/promises';

/** One message of an mbox: its names, and a function that reads it. */
export interface MboxMessage {
  readonly label: string;
  readonly name: string;
  readonly open: () => AsyncIterable<Uint8Array>;
}

const PIECE_BYTES = 256 * 1024;
const SEPARATOR = Buffer.from('\nFrom ');
/** `From sender Fri Nov 20 09:00:00 2026`, with or without a zone. A sentence that begins with "From" has no such time in it. */
const FROM_LINE = /^From \S.*\d{1,2}:\d{2}.*\d{4}/;
/** The longest "From " line that is checked for its time. */
const FROM_LINE_BYTES = 512;

/** Returns the messages in order. Throws when the file cannot be read any further. */
export async function* messagesOfMbox(path: string): AsyncGenerator<MboxMessage> {
  let number = 0;
  let start = 0;
  for await (const end of messageEnds(path)) {
    const range = { start, end };
    number += 1;
    yield {
      label: `${path}#${number}`,
      name: `message-${number}.eml`,
      open: () => readMessage(path, range),
    };
    start = end;
  }
}

/** Offsets at which a message ends: before the next "From " line, or at the end of the file. */
async function* messageEnds(path: string): AsyncGenerator<number> {
  const file = await open(path, 'r');
  try {
    let carried = Buffer.alloc(0);
    let base = 0;
    for await (const piece of file.createReadStream({ autoClose: false, highWaterMark: PIECE_BYTES })) {
      const window = Buffer.concat([carried, piece as Buffer]);
      // The end of the piece may cut a separator line, so its last bytes are searched again with the next piece.
      const keep = Math.min(window.length, FROM_LINE_BYTES);
      const searched = window.length - keep;
      yield* separatorsIn(window, searched, base);
      carried = Buffer.from(window.subarray(searched));
      base += searched;
    }
    yield* separatorsIn(carried, carried.length, base);
    yield base + carried.length;
  } finally {
    await file.close();
  }
}

/** Yields offsets of separator lines that begin before `before`. */
function* separatorsIn(window: Buffer, before: number, base: number): Generator<number> {
  for (let at = window.indexOf(SEPARATOR); at >= 0 && at < before; at = window.indexOf(SEPARATOR, at + 1)) {
    const line = window.toString('latin1', at + 1, at + 1 + FROM_LINE_BYTES);
    if (FROM_LINE.test(line.slice(0, line.search(/[\r\n]|$/)))) yield base + at + 1;
  }
}

/** Yields the message in pieces, without its "From " line and with `>From ` unquoted, however long its lines are. */
async function* readMessage(path: string, range: { start: number; end: number }): AsyncIterable<Uint8Array> {
  if (range.end <= range.start) return;
  const file = await open(path, 'r');
  try {
    let held = Buffer.alloc(0);
    let isFirst = true;
    let atLineStart = true;
    const last = { start: range.start, end: range.end - 1, autoClose: false, highWaterMark: PIECE_BYTES };
    for await (const piece of file.createReadStream(last)) {
      const window = Buffer.concat([held, piece as Buffer]);
      // The beginning of a line is held back, because it may be quoted. The middle of a long line is not held back.
      const lineStart = window.lastIndexOf(0x0a) + 1;
      const cut = window.length - lineStart < FROM_LINE_BYTES ? lineStart : window.length;
      held = Buffer.from(window.subarray(cut));
      if (cut === 0) continue;
      yield unquoted(window.subarray(0, cut), isFirst, atLineStart);
      isFirst = false;
      atLineStart = cut === lineStart;
    }
    if (held.length > 0) yield unquoted(held, isFirst, atLineStart);
  } finally {
    await file.close();
  }
}

function unquoted(lines: Buffer, dropFromLine: boolean, atLineStart: boolean): Buffer {
  const from = dropFromLine && lines.subarray(0, 5).equals(SEPARATOR.subarray(1)) ? lines.indexOf(0x0a) + 1 : 0;
  const text = lines.subarray(from);
  if (!text.includes('>From ')) return text;
  const unquote = (quoted: string, plain: string, at: number) => (at === 0 && !atLineStart ? quoted : plain);
  return Buffer.from(text.toString('latin1').replace(/^>(>*From )/gm, unquote), 'latin1');
}
