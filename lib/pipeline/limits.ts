/**
 * Every limit of the pipeline, in one place, each with the attack it stops. Typed once here; a stage never compares with a
 * number of its own.
 */
import * as z from 'zod/mini';

const count = () => z.int().check(z.positive());

export const Limits = z.object({
  /** An endless object in the intake bucket. SES accepts 40 MB; a little room for gateways that add headers. */
  emailBytes: z._default(count(), 42 * 1024 * 1024),
  /** Header bombs: megabytes of header lines cost parsers seconds and gigabytes. Over all parts of the message. */
  headerBytes: z._default(count(), 2 * 1024 * 1024),
  headerLines: z._default(count(), 5_000),
  /** Part bombs: thousands of tiny parts, each a submission. */
  parts: z._default(count(), 1_000),
  /** Nesting bombs: multiparts and messages inside each other exhaust stacks. */
  depth: z._default(count(), 20),
  /** Archives in archives, and an archive that holds itself: containers inside each other. */
  containerDepth: z._default(count(), 10),
  /** An archive of ten thousand files, each a submission. Members of all containers of a message. */
  containerMembers: z._default(count(), 1_000),
  /** Archive bombs: bytes unpacked out of all containers of a message. */
  containerBytes: z._default(count(), 192 * 1024 * 1024),
  /** One member of that size is held in memory, stored and sent. */
  memberBytes: z._default(count(), 64 * 1024 * 1024),
  /** Times its own size that a container may unpack to, above a few megabytes. Logs and tables reach 50. */
  containerRatio: z._default(count(), 250),
  /** Archives that keep a decoder busy, and passwords that take a second each to try. For all containers of a message. */
  containerSeconds: z._default(count(), 20),
  /** Messages in messages, each nearly as large as the one around it: bytes of nested messages that are read of one message. */
  nestedEmailBytes: z._default(count(), 48 * 1024 * 1024),
  /** A mail of a thousand words to try on an archive. */
  passwordTries: z._default(count(), 200),
  /** URL floods: one mail of thousands of links would use up the quota of the analysis service. */
  urls: z._default(count(), 200),
  /** A thousand pictures and PDFs to look through for codes and links: seconds for the search of one message. */
  urlSearchSeconds: z._default(count(), 30),
  /** One link written in a hundred thousand ways: spellings of one URL that the ledger lists per part. */
  urlSpellings: z._default(count(), 5),
  /** The same links in thousand parts: places of URLs that the ledger lists. */
  urlPlaces: z._default(count(), 1_000),
  /** Megabytes of one URL. Browsers give up long before. */
  urlLength: z._default(count(), 8_192),
  /** A text body of this size is still searched for URLs; a larger one is a warning, and unreadable for policy. */
  textBytes: z._default(count(), 16 * 1024 * 1024),
  /** A service that answers with an endless file. */
  disarmedBytes: z._default(count(), 64 * 1024 * 1024),
  /** A ledger grown by a hostile message until no stage can hold it. */
  ledgerBytes: z._default(count(), 16 * 1024 * 1024),
  /** Names and subjects of megabytes, shown on terminals and in notices. Characters kept of each. */
  untrustedTextLength: z._default(count(), 1_000),
  /** Requests of one run to the service at the same time: one mail must not take the whole rate limit. */
  concurrentSubmissions: z._default(count(), 8),
  /** A hundred thousand parts: of a message that is held for its size anyway, so many artifacts are analysed, for whoever looks at it. */
  artifactsOfOversize: z._default(count(), 50),
  /** How long a run may take from birth to decision. After it, what has no report is a timeout. */
  deadlineSeconds: z._default(count(), 1_800),
  /** How long a claim without a submission id holds: the time a crashed run keeps others waiting. */
  claimSeconds: z._default(count(), 120),
  /** How long a submission in flight is joined by others before it is sent again. */
  inFlightSeconds: z._default(count(), 3_600),
  /** How long a known report answers for new mail with the same hash. */
  knownSeconds: z._default(count(), 86_400),
});
export type Limits = z.infer<typeof Limits>;

/** The limits as shipped. */
export const DEFAULT_LIMITS: Limits = Limits.parse({});
