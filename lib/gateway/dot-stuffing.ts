/**
 * Dots at the beginning of lines (RFC 5321, 4.5.2): a sender puts one more in front of each, and a line with a single dot ends the message.
 * Only CRLF ends a line here. The searches are native, and the time follows the bytes, however many dots there are.
 */

const [CR, LF, DOT] = [0x0d, 0x0a, 0x2e];
const LINE_END = Buffer.from('\r\n');
const STUFFED = Buffer.from('\r\n.');
const END = Buffer.from('\r\n.\r\n');

/** Returns the message without the dots of its transport. */
export interface Unstuffing {
  /** Takes the next bytes. Returns the bytes of the message, and the bytes behind its end, or null while it has not ended. */
  feed(bytes: Buffer): { readonly text: Buffer; readonly behind: Buffer | null };
}

/** Reads one message that arrives in pieces. */
export function openUnstuffing(): Unstuffing {
  // The first line stands as if behind a line end, which is not part of the message.
  let held: Buffer = LINE_END;
  let before = LINE_END.length;
  return {
    feed(bytes) {
      const data = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const end = data.indexOf(END);
      const known = end < 0 ? data.length - undecided(data) : end + LINE_END.length;
      held = data.subarray(known);
      const text = unstuffed(data.subarray(0, known)).subarray(before);
      if (known > 0) before = 0;
      return { text, behind: end < 0 ? null : data.subarray(end + END.length) };
    },
  };
}

/** Returns how many of the last bytes may be the begin of the end, or of a line with a dot. */
function undecided(data: Buffer): number {
  for (let length = Math.min(END.length - 1, data.length); length > 0; length -= 1)
    if (data.subarray(-length).equals(END.subarray(0, length))) return length;
  return 0;
}

/** Returns each line that begins with a dot without it. */
function unstuffed(data: Buffer): Buffer {
  const first = data.indexOf(STUFFED);
  if (first < 0) return data;
  const out = Buffer.allocUnsafe(data.length);
  let size = first + LINE_END.length;
  data.copy(out, 0, 0, size);
  for (let at = size + 1; at < data.length; at += 1) {
    const byte = data[at] as number;
    if (byte === DOT && data[at - 1] === LF && data[at - 2] === CR) continue;
    out[size] = byte;
    size += 1;
  }
  return out.subarray(0, size);
}

/**
 * Returns a message in which each line that begins with a dot has one more. `before` is the byte in front of it; null at its beginning. Its
 * line ends were checked before (`hasPlainLines`).
 */
export function stuffed(message: Buffer, before: number | null): Buffer {
  const isFirst = message[0] === DOT && (before === null || before === LF);
  if (!isFirst && message.indexOf('\n.') < 0) return message;
  let dots = Number(isFirst);
  for (let at = 1; at < message.length; at += 1) if (message[at] === DOT && message[at - 1] === LF) dots += 1;
  const out = Buffer.allocUnsafe(message.length + dots);
  let size = 0;
  for (let at = 0; at < message.length; at += 1) {
    const byte = message[at] as number;
    if (byte === DOT && (at === 0 ? isFirst : message[at - 1] === LF)) {
      out[size] = DOT;
      size += 1;
    }
    out[size] = byte;
    size += 1;
  }
  return out;
}
