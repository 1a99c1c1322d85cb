/** Takes the bytes of one message: checks each, writes it to the spool, and commits the message when all of it may be taken. */
import type { Readable } from 'node:stream';
import type { Envelope } from './envelope.ts';
import type { GatewayLimits } from './limits.ts';
import type { LoopKey } from './loop.ts';
import { openScan } from './message-scan.ts';
import { receivedField } from './received.ts';
import type { Refusal } from './smtp-path.ts';
import type { Incoming, Spool } from './spool.ts';
import type { Entry } from './spool-reading.ts';

export interface TakeOptions {
  readonly limits: GatewayLimits;
  readonly spool: Spool;
  readonly loopKey: LoopKey;
  /** Our name in the `Received` that we add; null: a mail server adds its own. */
  readonly traceName: string | null;
  /** Called with the number of bytes that came. A listener on the stream itself would start it before there is a reader. */
  readonly onBytes: (count: number) => void;
}

/**
 * Returns the accepted message, or why it is refused. A refused message is still read to its end, because its sender listens only then.
 * Rejects when the connection or the disk fails; nothing is kept then.
 */
export async function takeMessage(
  { limits, spool, loopKey, traceName, onBytes }: TakeOptions,
  facts: Omit<Envelope, 'id' | 'message' | 'passes'>,
  stream: Readable,
): Promise<Entry | Refusal> {
  const scan = openScan(limits, loopKey);
  let incoming: Incoming | null = null;
  let fault: unknown = null;
  let refusal: Refusal | null = null;
  const write = async (bytes: Uint8Array) => {
    if (fault !== null || refusal !== null) return;
    await incoming?.write(bytes).catch((error: unknown) => {
      fault = error;
    });
  };
  try {
    incoming = await spool.begin().catch((error: unknown) => {
      fault = error;
      return null;
    });
    if (incoming && traceName !== null) await write(Buffer.from(receivedField(traceName, incoming.id, facts)));
    for await (const chunk of stream) {
      onBytes((chunk as Uint8Array).length);
      refusal = scan.feed(chunk as Uint8Array);
      await write(chunk as Uint8Array);
    }
    refusal = scan.end();
    if (refusal !== null) return refusal;
    if (fault !== null || incoming === null) throw fault;
    const entry = await incoming.commit({ ...facts, passes: scan.loop().passes });
    incoming = null;
    return entry;
  } finally {
    await incoming?.discard();
  }
}

/** Returns true for the errors of a full disk. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code));
}
