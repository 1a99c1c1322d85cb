/** The open connections of a door, counted in all and for each address. */
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { Dialogue } from './dialogue.ts';
import type { GatewayLimits } from './limits.ts';

export interface OpenConnections extends Iterable<readonly [SMTPConnection, Dialogue]> {
  /** Returns true when one more from this address is too many. */
  isFull(address: string): boolean;
  add(address: string, connection: SMTPConnection, dialogue: Dialogue): void;
  /** Finds a connection by the session that smtp-server has for it. */
  of(session: object): readonly [SMTPConnection, Dialogue] | undefined;
  /** Forgets a connection, by its session. */
  remove(session: object): void;
}

interface Held {
  readonly address: string;
  readonly pair: readonly [SMTPConnection, Dialogue];
}

/** Begins with none. `onCount` is called with the number after each change. */
export function countConnections(limits: GatewayLimits, onCount: (count: number) => void): OpenConnections {
  const held = new Map<object, Held>();
  const byAddress = new Map<string, number>();
  const count = (address: string, by: 1 | -1) => {
    const now = (byAddress.get(address) ?? 0) + by;
    if (now > 0) byAddress.set(address, now);
    else byAddress.delete(address);
    onCount(held.size);
  };
  return {
    isFull: (address) => held.size >= limits.connections || (byAddress.get(address) ?? 0) >= limits.connectionsPerPeer,
    add(address, connection, dialogue) {
      held.set(connection.session, { address, pair: [connection, dialogue] });
      count(address, 1);
    },
    of: (session) => held.get(session)?.pair,
    remove(session) {
      const found = held.get(session);
      if (found !== undefined && held.delete(session)) count(found.address, -1);
    },
    *[Symbol.iterator]() {
      for (const { pair } of [...held.values()]) yield pair;
    },
  };
}
