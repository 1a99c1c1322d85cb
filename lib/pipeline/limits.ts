/**
 * Every limit of the pipeline, each with the attack that it stops. Every limit is defined here and typed once. A stage never compares with
 * its own number.
 */
import * as z from 'zod/mini';

/** One schema for all of them: every function builds them when it starts. */
const COUNT = z.int().check(z.positive());
const count = () => COUNT;

export const Limits = z.object({
  /** An endless object in the intake bucket. SES accepts 40 MB; the rest is room for gateways that add headers. */
  emailBytes: z._default(count(), 42 * 1024 * 1024),
  /** Header bombs: megabytes of header lines cost parsers seconds and gigabytes. Bytes in all parts of the message together. */
  headerBytes: z._default(count(), 2 * 1024 * 1024),
  /** Header bombs of a hundred thousand short lines. */
  headerLines: z._default(count(), 5_000),
  /** Part bombs: thousands of tiny parts, each a submission. */
  parts: z._default(count(), 1_000),
  /** Nesting bombs: multiparts and messages inside each other exhaust stacks. */
  depth: z._default(count(), 20),
  /** Archives in archives, and archives that contain themselves: levels of containers inside each other. */
  containerDepth: z._default(count(), 10),
  /** An archive of ten thousand files, each a submission. Members in all containers of a message together. */
  containerMembers: z._default(count(), 1_000),
  /** Archive bombs: bytes unpacked from all containers of a message together. */
  containerBytes: z._default(count(), 192 * 1024 * 1024),
  /** A huge member, which is held in memory, stored and sent. */
  memberBytes: z._default(count(), 64 * 1024 * 1024),
  /** Archive bombs: the ratio of unpacked to packed bytes, above a few megabytes. Logs and tables reach 50. */
  containerRatio: z._default(count(), 250),
  /**
   * Archives that keep a decoder busy, and passwords that take a second each. The limit is processor time for all containers of a message.
   */
  containerWorkSeconds: z._default(count(), 20),
  /** A thousand signatures, each of another key. Signatures of one message that are checked. */
  signatures: z._default(count(), 20),
  /** Keys and chains of certificates that keep a verifier busy. Seconds of processor time for one message. */
  signatureWorkSeconds: z._default(count(), 10),
  /** Messages in messages, each nearly as large as the one around it. Bytes of nested messages that are read in one message. */
  nestedEmailBytes: z._default(count(), 48 * 1024 * 1024),
  /** A mail of a thousand words, each a possible password of its archive. */
  passwordTries: z._default(count(), 200),
  /** The same in another mail of the same correspondents that should contain the password. Words of all such mail together. */
  passwordTriesFromOthers: z._default(count(), 100),
  /** A thousand mails with guesses for one held archive. Other mail whose words are tried on one held message. */
  passwordMails: z._default(count(), 10),
  /** One mail that causes work on a thousand held ones. Held messages that are begun again for one mail. */
  heldPerPasswordMail: z._default(count(), 5),
  /** A mail between two people who write each other all day, or to a thousand people. Earlier mail that is searched for one password. */
  earlierPasswordMails: z._default(count(), 30),
  /** A mail with a thousand recipients. Pairs of a sender and a recipient for which other mail is looked up. */
  correspondentPairs: z._default(count(), 20),
  /** URL floods: one mail of thousands of links would use up the quota of the analysis service. */
  urls: z._default(count(), 200),
  /** A thousand pictures and PDFs to search for codes and links. Seconds of processor time for one message. */
  urlSearchWorkSeconds: z._default(count(), 30),
  /** One link written in a hundred thousand ways. Spellings of one URL that the ledger lists per part. */
  urlSpellings: z._default(count(), 5),
  /** The same links in a thousand parts. Places of URLs that the ledger lists. */
  urlPlaces: z._default(count(), 1_000),
  /** One URL of megabytes. Browsers accept far less. */
  urlLength: z._default(count(), 8_192),
  /** A text body of this size is still searched for URLs. A larger one is a warning, and policy treats it as unreadable. */
  textBytes: z._default(count(), 16 * 1024 * 1024),
  /** A service that answers with an endless file. */
  disarmedBytes: z._default(count(), 64 * 1024 * 1024),
  /** A service that answers with files that take minutes to check. Seconds of processor time for one message. */
  returnedWorkSeconds: z._default(count(), 120),
  /** A hostile message that makes the ledger grow until no stage can hold it. */
  ledgerBytes: z._default(count(), 16 * 1024 * 1024),
  /** A service that answers in tiny pieces, so that the chain of a run grows until no stage can hold it. Bytes of all entries. */
  chainBytes: z._default(count(), 32 * 1024 * 1024),
  /** The same with empty answers. Entries in the chain of one attempt. */
  chainEntries: z._default(count(), 5_000),
  /** A run that is begun again endlessly. Attempts of one run. */
  attempts: z._default(count(), 50),
  /** One person who asks for the same release each time that it has lapsed. Notes of first persons for one attempt and form. */
  releaseAsks: z._default(count(), 50),
  /** A request to begin a million held runs again at once. Runs that one request reads. */
  redriveRuns: z._default(count(), 500),
  /** A file of gigabytes in the place of a delivered one. Bytes of each file that `airlock verify` reads. */
  verifiedBytes: z._default(count(), 160 * 1024 * 1024),
  /** Names and subjects of megabytes, which terminals and notices show. Characters kept of each. */
  untrustedTextLength: z._default(count(), 1_000),
  /** Simultaneous requests of one run to the service: one mail must not use up the whole rate limit. */
  concurrentSubmissions: z._default(count(), 8),
  /**
   * A hundred thousand parts. When a message is quarantined for its size, this many of its artifacts are still analysed, for the analyst.
   */
  artifactsOfOversize: z._default(count(), 50),
  /** How long a run may take from its creation to the decision. After that, every submission without a report is a timeout. */
  deadlineSeconds: z._default(count(), 1_800),
  /** How long a claim without a submission id is valid: a crashed run keeps others waiting for this long. */
  claimSeconds: z._default(count(), 120),
  /** How long other runs join a submission in flight. After that they send it again. */
  inFlightSeconds: z._default(count(), 3_600),
  /** How long a known report is used for new mail with the same hash. */
  knownSeconds: z._default(count(), 86_400),
});
export type Limits = z.infer<typeof Limits>;

/** The limits as shipped. */
export const DEFAULT_LIMITS: Limits = Limits.parse({});
