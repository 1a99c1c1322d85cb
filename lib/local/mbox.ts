/**
 * The messages of an mbox (RFC 4155, mboxrd quoting), found in one pass that holds one piece of the file at a time. Each
 * message becomes an input labelled `PATH#N`, N from 1; its bytes are read when it is its turn.
 */
import { open } from 'node:fs/promises';

/** One message of an mbox: how to name it, and how to read it when it is its turn. */
export interface MboxMessage {
  readonly label: string;
  readonly name: string;
  readonly open: () => AsyncIterable<Uint8Array>;
}

const PIECE_BYTES = 256 * 1024;
const SEPARATOR = Buffer.from('\nFrom ');

/** The messages in order. Throws when the file cannot be read any further. */
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
      for (let at = window.indexOf(SEPARATOR); at >= 0; at = window.indexOf(SEPARATOR, at + 1)) yield base + at + 1;
      // A separator may be cut by the end of the piece: its first bytes are looked at again.
      const keep = Math.min(window.length, SEPARATOR.length - 1);
      carried = Buffer.from(window.subarray(window.length - keep));
      base += window.length - keep;
    }
    yield base + carried.length;
  } finally {
    await file.close();
  }
}

/** The message without its "From " line, `>From ` unquoted. */
async function* readMessage(path: string, range: { start: number; end: number }): AsyncIterable<Uint8Array> {
  const file = await open(path, 'r');
  try {
    let line: Buffer = Buffer.alloc(0);
    let isFirst = true;
    const last = { start: range.start, end: range.end - 1, autoClose: false, highWaterMark: PIECE_BYTES };
    if (range.end <= range.start) return;
    for await (const piece of file.createReadStream(last)) {
      const window: Buffer = Buffer.concat([line, piece as Buffer]);
      const cut = window.lastIndexOf(0x0a) + 1;
      line = Buffer.from(window.subarray(cut));
      if (cut === 0) continue;
      yield unquoted(window.subarray(0, cut), isFirst);
      isFirst = false;
    }
    if (line.length > 0) yield unquoted(line, isFirst);
  } finally {
    await file.close();
  }
}

function unquoted(lines: Buffer, dropFromLine: boolean): Buffer {
  const from = dropFromLine && lines.subarray(0, 5).equals(SEPARATOR.subarray(1)) ? lines.indexOf(0x0a) + 1 : 0;
  const text = lines.subarray(from);
  if (!text.includes('>From ')) return text;
  return Buffer.from(text.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1');
}
