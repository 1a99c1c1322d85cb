/**
 * The envelope of a message: the data of SMTP about it beside its bytes. It is stored before the message, and the message goes on to
 * exactly these recipients. The header of the message decides nothing.
 */
import * as z from 'zod/mini';
import { StoredBytes } from '../pipeline/ledger/fields.ts';

/** An address as written between the angle brackets; empty for the null sender. The grammar is in smtp-path.ts. */
const Address = z.string().check(z.maxLength(512), z.regex(/^[^\p{Cc}<>]*$/u));
const Word = z.string().check(z.maxLength(512), z.regex(/^[^\p{Cc}]*$/u));

export const Recipient = z.object({
  address: Address,
  /** RFC 3461, unchanged, in xtext. */
  notify: z.nullable(Word),
  orcpt: z.nullable(Word),
});
export type Recipient = z.infer<typeof Recipient>;

/** The peer that sent it, as far as we know: the connection itself, or the client that a named peer reported (XFORWARD, XCLIENT). */
export const Peer = z.object({
  address: Word,
  name: z.nullable(Word),
  port: z.nullable(Word),
  helo: z.nullable(Word),
  protocol: z.nullable(Word),
  /** LOCAL or REMOTE, and the queue id of the sender; both from XFORWARD. */
  source: z.nullable(Word),
  ident: z.nullable(Word),
});
export type Peer = z.infer<typeof Peer>;

export const ENVELOPE_SCHEMA = 'mail-airlock/envelope/1';

export const Envelope = z.object({
  schema: z.literal(ENVELOPE_SCHEMA),
  id: z.string().check(z.regex(/^[0-9a-z]{21}$/)),
  /**
   * `milter`: a mail server offers it, and it is ours only when the spool says so. `notice`: a message of ours, which is not judged.
   * `first`: the part of a message that is sent while files of it are still examined.
   */
  origin: z.enum(['smtp', 'milter', 'notice', 'first']),
  receivedAt: z.iso.datetime(),
  sender: Address,
  recipients: z.array(Recipient).check(z.minLength(1)),
  parameters: z.object({
    body: z.nullable(z.enum(['7BIT', '8BITMIME'])),
    size: z.nullable(z.int()),
    smtpUtf8: z.boolean(),
    ret: z.nullable(z.enum(['FULL', 'HDRS'])),
    /** In xtext. */
    envid: z.nullable(Word),
  }),
  peer: Peer,
  /** The name of the cipher when the message came over TLS. */
  tls: z.nullable(Word),
  /** The subject of the certificate that the client has shown, when it counts. */
  certificate: z.optional(Word),
  /** The name with which the sender authenticated. */
  user: z.nullable(Word),
  /** The message of which this one is the share of some recipients. It is ours once that message is gone. */
  splitFrom: z.optional(z.string().check(z.regex(/^[0-9a-z]{21}$/))),
  /** The message that follows this first one. */
  firstOf: z.optional(z.string().check(z.regex(/^[0-9a-z]{21}$/))),
  /** How often the message has passed this gateway before. */
  passes: z.int().check(z.nonnegative()),
  /**
   * The digest and the size of the stored message, which begins with our `Received`, unless a mail server that offers it has written its
   * own.
   */
  message: StoredBytes,
});
export type Envelope = z.infer<typeof Envelope>;
