/** The next hop with a few connections that are used again, and a time limit for each message. */
import { isAscii } from 'node:buffer';
import type { Envelope, Recipient } from './envelope.ts';
import type { GatewayLimits } from './limits.ts';
import { connectNext, type NextConnection, type Sent } from './next-connection.ts';
import type { NextSettings } from './settings.ts';
import type { Alarms } from './timers.ts';
import type { Outgoing } from './wire-lines.ts';

export interface NextHop {
  /** Never rejects. */
  send(envelope: Envelope, recipients: readonly Recipient[], bytes: Uint8Array): Promise<Sent>;
  /** Ends the messages that are being sent. They wait, and may have arrived. */
  abandon(): void;
  close(): void;
}

/** The time, and timers. */
export interface Clock {
  readonly now: () => number;
  readonly alarms: Alarms;
}

/** Messages that use one connection. Postfix, too, takes a new one after a while. */
const MESSAGES_PER_CONNECTION = 100;
/** How long a connection waits for the next message. */
const IDLE_MS = 2_000;

/** Returns the next hop of these settings. It connects at the first message. */
export function openNextHop(settings: NextSettings, limits: GatewayLimits, { now, alarms }: Clock): NextHop {
  const busy = new Set<AbortController>();
  const idle = new Map<NextConnection, NodeJS.Timeout>();
  const take = async (signal: AbortSignal): Promise<NextConnection> => {
    for (const [connection, timer] of idle) {
      clearTimeout(timer);
      idle.delete(connection);
      if (connection.isUsable()) return connection;
    }
    return connectNext(settings, limits, signal);
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
      const given = new AbortController();
      const takeBack = alarms.at(now() + limits.sendSeconds * 1000, () => given.abort());
      busy.add(given);
      try {
        const connection = await take(given.signal);
        given.signal.addEventListener('abort', connection.close, { once: true });
        const sent = await connection.send(envelope, recipients, bytes, outgoingOf(bytes));
        given.signal.removeEventListener('abort', connection.close);
        giveBack(connection);
        return sent;
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        return { replies: recipients.map(() => ({ code: null, text })), mayHaveArrived: false };
      } finally {
        takeBack();
        busy.delete(given);
      }
    },
    abandon() {
      for (const given of busy) given.abort();
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
  const has8Bit = (part: Uint8Array) => !isAscii(part);
  const header = end < 0 ? text : text.subarray(0, end);
  const has8BitHeader = has8Bit(header);
  return { size: text.length, has8Bit: has8BitHeader || has8Bit(text), has8BitHeader };
}
