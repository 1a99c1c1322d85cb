/** Every limit of the gateway, with the attack or the fault that it stops. A limit that is not a positive number is refused. */
import * as z from 'zod/mini';

const count = () => z.int().check(z.positive());

export const GatewayLimits = z.object({
  /** Ten thousand idle connections. Beyond it, a connection is answered with 421. */
  connections: z._default(count(), 500),
  /** The same from one address, which must not shut out the others. */
  connectionsPerPeer: z._default(count(), 100),
  /** An endless message. The flow reads 42 MiB, and our own header comes on top. */
  messageBytes: z._default(count(), 41 * 1024 * 1024),
  /** A hundred thousand recipients in one envelope. RFC 5321 requires 100, and Postfix sends at most 50 at a time. */
  recipients: z._default(count(), 1_000),
  /**
   * Recipients without an end. One connection may name so many beyond `recipients`; each is told that the message is full, and its sender
   * sends it again to those. Sendmail and mailing lists name all of their recipients at once.
   */
  excessRecipients: z._default(count(), 10_000),
  /** A line of a gigabyte, which the programs behind us would hold in memory. */
  lineBytes: z._default(count(), 128 * 1024),
  /** A command line of a gigabyte. RFC 5321 requires 512 bytes; addresses, parameters and tokens of AUTH are longer. */
  commandBytes: z._default(count(), 12 * 1024),
  /**
   * A packet of the milter protocol of four gigabytes. Postfix sends fields of 100 KiB and pieces of the body of 64 KiB, Sendmail up to 1
   * MiB.
   */
  milterPacketBytes: z._default(count(), 2 * 1024 * 1024),
  /** Endless EHLO, RSET, NOOP and VRFY. Commands of one connection between two messages; recipients are counted apart. */
  idleCommands: z._default(count(), 100),
  /** Guessing of commands, addresses and passwords. Commands of one connection that were refused. */
  refusedCommands: z._default(count(), 30),
  /** Guessing of passwords. Wrong ones of one connection; at the last, it ends. */
  wrongPasswords: z._default(count(), 3),
  /** A connection that is used without an end. Messages of one connection. */
  messagesPerConnection: z._default(count(), 1_000),
  /** A silent peer. Seconds until its next command; RFC 5321 (4.5.3.2.7) requires five minutes. */
  commandSeconds: z._default(count(), 300),
  /** One byte a minute in DATA. Fewest bytes in a minute, counted after the first `commandSeconds`. */
  dataBytesPerMinute: z._default(count(), 4 * 1024),
  /** A peer that stays just fast enough. Seconds that one message may take to arrive. */
  dataSeconds: z._default(count(), 3_600),
  /** Loops that our own header does not show. `Received` fields of one message. */
  receivedFields: z._default(count(), 50),
  /** Loops through this gateway. A forwarder may bring a message back twice, and no more. */
  passes: z._default(count(), 3),
  /** A flood that is accepted faster than it can be judged. Messages that wait; beyond it, a sender is told to come back. */
  queuedMessages: z._default(count(), 10_000),
  /** A disk that fills up. Bytes that must stay free; below it, a sender is told to come back. */
  freeDiskBytes: z._default(count(), 512 * 1024 * 1024),
  /** Messages that arrive all at once. Resident bytes of the process above which a sender is told to come back. */
  residentBytes: z._default(count(), 3 * 1024 * 1024 * 1024),
  /** Mails that keep the engines busy. Messages that are judged at the same time. */
  concurrentJudgements: z._default(count(), 4),
  /** The same while a service analyses (`--service`). Some analyses take minutes, and all other mail would wait behind four of them. */
  awaitedJudgements: z._default(count(), 500),
  /** A next hop that we flood. Connections to it at the same time. */
  concurrentSends: z._default(count(), 10),
  /** A next hop that never answers. Seconds without a byte of it, also behind the final dot (RFC 5321, 4.5.3.2.6). */
  replySeconds: z._default(count(), 600),
  /** A next hop that answers byte by byte. Seconds in which one message must have been sent. */
  sendSeconds: z._default(count(), 3_600),
  /** A next hop that is away and would be called without a pause. The first and the longest wait, in seconds. */
  firstRetrySeconds: z._default(count(), 60),
  longestRetrySeconds: z._default(count(), 3_600),
  /** A next hop that stays away. Seconds after which a message is no longer sent, and the administrator is told. */
  giveUpSeconds: z._default(count(), 5 * 86_400),
  /** A fault in judging that passes by itself. How often a message is judged again before it stays held. */
  judgements: z._default(count(), 5),
  /** A thousand faults, each with a notice. Notices to the administrator in one hour. */
  noticesPerHour: z._default(count(), 10),
  /** Seconds for messages in progress to end when the gateway stops. Remaining messages continue with the next start. */
  drainSeconds: z._default(count(), 30),
  /** Days for which a sent message is kept with its ledger, and for which known results are used. */
  keptDays: z._default(count(), 3),
});
export type GatewayLimits = z.infer<typeof GatewayLimits>;

/** The limits as shipped. */
export const DEFAULT_GATEWAY_LIMITS: GatewayLimits = GatewayLimits.parse({});
