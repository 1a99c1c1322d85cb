/** The next hop with a few connections that are used again, and a time in which one message must have gone. */
import type { Envelope, Recipient } from './envelope.ts';
import type { GatewayLimits } from './limits.ts';
import { connectNext, type NextConnection, type Reply } from './next-connection.ts';
import type { NextSettings } from './settings.ts';
import type { Outgoing } from './wire-lines.ts';

export interface NextHop {
  /** The answer about each recipient, in its order. Never rejects. */
  send(envelope: Envelope, recipients: readonly Recipient[], bytes: Uint8Array): Promise<readonly Reply[]>;
  /** Ends what is being sent. Those messages wait, and may have arrived. */
  abandon(): void;
  close(): void;
}

/** Messages that go over one connection. Postfix, too, takes a new one after a while. */
const MESSAGES_PER_CONNECTION = 100;
/** How long a connection waits for the next message. */
const IDLE_MS = 2_000;

/** The next hop of these settings. Nothing is connected before the first message. */
export function openNextHop(settings: NextSettings, limits: GatewayLimits): NextHop {
  const busy = new Set<NextConnection>();
  const idle = new Map<NextConnection, NodeJS.Timeout>();
  const take = async (): Promise<NextConnection> => {
    for (const [connection, timer] of idle) {
      clearTimeout(timer);
      idle.delete(connection);
      if (connection.isUsable()) return connection;
    }
    return connectNext(settings, limits);
  };
  const giveBack = (connection: NextConnection) => {
    if (!connection.isUsable() || connection.count() >= MESSAGES_PER_CONNECTION) return connection.close();
    const timer = setTimeout(() => {
      idle.delete(connection);
      connection.close();
    }, IDLE_MS);
    idle.set(connection, timer.unref());
  };
  return {
    async send(envelope, recipients, bytes) {
      let connection: NextConnection | null = null;
      let timer: NodeJS.Timeout | null = null;
      try {
        connection = await take();
        busy.add(connection);
        const { close } = connection;
        timer = setTimeout(close, limits.sendSeconds * 1000);
        const outgoing = outgoingOf(bytes);
        const { replies } = await connection.send(envelope, recipients, bytes, outgoing);
        return replies;
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        return recipients.map(() => ({ code: null, text }));
      } finally {
        if (timer) clearTimeout(timer);
        if (connection) {
          busy.delete(connection);
          giveBack(connection);
        }
      }
    },
    abandon() {
      for (const connection of busy) connection.close();
    },
    close() {
      for (const [connection, timer] of idle) {
        clearTimeout(timer);
        connection.close();
      }
      idle.clear();
    },
  };
}

function outgoingOf(bytes: Uint8Array): Outgoing {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = text.indexOf('\r\n\r\n');
  const has8Bit = (part: Uint8Array) => part.some((byte) => byte > 0x7f);
  const header = end < 0 ? text : text.subarray(0, end);
  const has8BitHeader = has8Bit(header);
  return { size: text.length, has8Bit: has8BitHeader || has8Bit(text), has8BitHeader };
}
