/**
 * Looks at the bytes of a message while they arrive. Only CRLF ends a line: programs that take a bare CR, a bare LF or a NUL for something
 * else would see another end of the message than we do (SMTP smuggling: CVE-2023-51764, -51765, -51766). Such a message is refused whole,
 * because mending it would choose one of the two readings.
 */

import type { GatewayLimits } from './limits.ts';
import { type Loop, type LoopKey, passesIn } from './loop.ts';
import type { Refusal } from './smtp-path.ts';

export interface MessageScan {
  /** Takes the next bytes. Returns the reason to refuse the message, which stays the same from then on; null while there is none. */
  feed(chunk: Uint8Array): Refusal | null;
  /** Called behind the last byte. */
  end(): Refusal | null;
  /** What the header said of loops. */
  loop(): Loop;
}

const CR = 0x0d;
const LF = 0x0a;
/** Bytes of a header line that are looked at. Our own field is far shorter. */
const FIELD_BYTES = 200;

export const LINE_ENDS: Refusal = {
  code: 550,
  status: '5.6.11',
  text: 'Bare CR or LF in the message: lines end with CRLF',
};
const NUL: Refusal = { code: 550, status: '5.6.0', text: 'NUL byte in the message' };

/** A scan of one message. `size` counts what the peer sends. */
export function openScan(limits: GatewayLimits, key: LoopKey): MessageScan {
  let refusal: Refusal | null = null;
  let previous = LF;
  let size = 0;
  let lineLength = 0;
  let field: number[] = [];
  let inHeader = true;
  let received = 0;
  let passes = 0;

  const endLine = () => {
    // The CR of the end of the line is counted, so an empty line has one byte.
    if (lineLength === 1) inHeader = false;
    if (inHeader) {
      const text = Buffer.from(field).toString('latin1');
      if (/^received:/i.test(text)) received += 1;
      passes = Math.max(passes, passesIn(key, text));
    }
    field = [];
    lineLength = 0;
  };
  const problemAt = (byte: number): Refusal | null => {
    if (byte === 0) return NUL;
    return (byte === LF) === (previous === CR) ? null : LINE_ENDS;
  };
  const take = (chunk: Uint8Array): Refusal | null => {
    size += chunk.length;
    if (size > limits.messageBytes) return tooLarge(limits);
    for (const byte of chunk) {
      const problem = problemAt(byte);
      if (problem !== null) return problem;
      previous = byte;
      if (byte === LF) {
        endLine();
        continue;
      }
      lineLength += 1;
      if (lineLength > limits.lineBytes) return lineTooLong(limits);
      if (inHeader && field.length < FIELD_BYTES && byte !== CR) field.push(byte);
    }
    return null;
  };
  return {
    feed(chunk) {
      refusal ??= take(chunk);
      return refusal;
    },
    end() {
      if (previous !== LF) refusal ??= LINE_ENDS;
      refusal ??= loopRefusal(limits, received, passes);
      return refusal;
    },
    loop: () => ({ received, passes }),
  };
}

/** True when every program that speaks SMTP sees the same lines in it. The last line may lack its end, which sending adds. */
export function hasPlainLines(bytes: Uint8Array): boolean {
  let previous = 0x20;
  for (const byte of bytes) {
    if (byte === 0 || (byte === LF) !== (previous === CR)) return false;
    previous = byte;
  }
  return previous !== CR;
}

const tooLarge = ({ messageBytes }: GatewayLimits): Refusal => ({
  code: 552,
  status: '5.3.4',
  text: `Message size exceeds fixed limit of ${messageBytes}`,
});

const lineTooLong = ({ lineBytes }: GatewayLimits): Refusal => ({
  code: 550,
  status: '5.6.0',
  text: `A line is longer than ${lineBytes} bytes`,
});

function loopRefusal(limits: GatewayLimits, received: number, passes: number): Refusal | null {
  if (passes >= limits.passes)
    return { code: 554, status: '5.4.6', text: 'Mail loop: it has passed this gateway before' };
  if (received > limits.receivedFields)
    return { code: 554, status: '5.4.6', text: 'Mail loop: too many Received fields' };
  return null;
}
