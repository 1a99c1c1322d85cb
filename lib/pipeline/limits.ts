/**
 * Every limit of the pipeline, each with the attack that it stops. Every limit is defined here and typed once. A stage never compares with
 * its own number.
 */

/** The limits as shipped. */
export const DEFAULT_LIMITS = {
  /** An endless object in the intake bucket. SES accepts 40 MB; the rest is room for gateways that add headers. */
  emailBytes: 42 * 1024 * 1024,
  /** Header bombs: megabytes of header lines cost parsers seconds and gigabytes. Bytes in all parts of the message together. */
  headerBytes: 2 * 1024 * 1024,
  /** Header bombs of a hundred thousand short lines. */
  headerLines: 5_000,
  /** Part bombs: thousands of tiny parts, each a submission. */
  parts: 1_000,
  /** Nesting bombs: multiparts and messages inside each other exhaust stacks. */
  depth: 20,
  /** Archives in archives, and archives that contain themselves: levels of containers inside each other. */
  containerDepth: 10,
  /** An archive of ten thousand files, each a submission. Members in all containers of a message together. */
  containerMembers: 1_000,
  /** Archive bombs: bytes unpacked from all containers of a message together. */
  containerBytes: 192 * 1024 * 1024,
  /** A huge member, which is held in memory, stored and sent. */
  memberBytes: 64 * 1024 * 1024,
  /** Archive bombs: the ratio of unpacked to packed bytes, above a few megabytes. Logs and tables reach 50. */
  containerRatio: 250,
  /**
   * Archives that keep a decoder busy, and passwords that take a second each. The limit is processor time for all containers of a message.
   */
  containerWorkSeconds: 20,
  /** A thousand signatures, each of another key. Signatures of one message that are checked. */
  signatures: 20,
  /** Keys and chains of certificates that keep a verifier busy. Seconds of processor time for one message. */
  signatureWorkSeconds: 10,
  /** Messages in messages, each nearly as large as the one around it. Bytes of nested messages that are read in one message. */
  nestedEmailBytes: 48 * 1024 * 1024,
  /** A mail of a thousand words, each a possible password of its archive. */
  passwordTries: 200,
  /** The same in another mail of the same correspondents that should contain the password. Words of all such mail together. */
  passwordTriesFromOthers: 100,
  /** A thousand mails with guesses for one held archive. Other mail whose words are tried on one held message. */
  passwordMails: 10,
  /** One mail that causes work on a thousand held ones. Held messages that are begun again for one mail. */
  heldPerPasswordMail: 5,
  /** A mail between two people who write each other all day, or to a thousand people. Earlier mail that is searched for one password. */
  earlierPasswordMails: 30,
  /** A mail with a thousand recipients. Pairs of a sender and a recipient for which other mail is looked up. */
  correspondentPairs: 20,
  /** URL floods: one mail of thousands of links would use up the quota of the analysis service. */
  urls: 200,
  /** A thousand pictures and PDFs to search for codes and links. Seconds of processor time for one message. */
  urlSearchWorkSeconds: 30,
  /** One link written in a hundred thousand ways. Spellings of one URL that the ledger lists per part. */
  urlSpellings: 5,
  /** The same links in a thousand parts. Places of URLs that the ledger lists. */
  urlPlaces: 1_000,
  /** One URL of megabytes. Browsers accept far less. */
  urlLength: 8_192,
  /** A text body of this size is still searched for URLs. A larger one is a warning, and policy treats it as unreadable. */
  textBytes: 16 * 1024 * 1024,
  /** A service that answers with an endless file. */
  disarmedBytes: 64 * 1024 * 1024,
  /** A service that answers with files that take minutes to check. Seconds of processor time for one message. */
  returnedWorkSeconds: 120,
  /** A hostile message that makes the ledger grow until no stage can hold it. */
  ledgerBytes: 16 * 1024 * 1024,
  /** A service that answers in tiny pieces, so that the chain of a run grows until no stage can hold it. Bytes of all entries. */
  chainBytes: 32 * 1024 * 1024,
  /** The same with empty answers. Entries in the chain of one attempt. */
  chainEntries: 5_000,
  /** A run that is begun again endlessly. Attempts of one run. */
  attempts: 50,
  /** One person who asks for the same release each time that it has lapsed. Notes of first persons for one attempt and form. */
  releaseAsks: 50,
  /** A request to begin a million held runs again at once. Runs that one request reads. */
  redriveRuns: 500,
  /** A file of gigabytes in the place of a delivered one. Bytes of each file that `airlock verify` reads. */
  verifiedBytes: 160 * 1024 * 1024,
  /** Names and subjects of megabytes, which terminals and notices show. Characters kept of each. */
  untrustedTextLength: 1_000,
  /** Simultaneous requests of one run to the service: one mail must not use up the whole rate limit. */
  concurrentSubmissions: 8,
  /**
   * A hundred thousand parts. When a message is quarantined for its size, this many of its artifacts are still analysed, for the analyst.
   */
  artifactsOfOversize: 50,
  /** How long a run may take from its creation to the decision. After that, every submission without a report is a timeout. */
  deadlineSeconds: 1_800,
  /** How long a claim without a submission id is valid: a crashed run keeps others waiting for this long. */
  claimSeconds: 120,
  /** How long other runs join a submission in flight. After that they send it again. */
  inFlightSeconds: 3_600,
  /** How long a known report is used for new mail with the same hash. */
  knownSeconds: 86_400,
};
export type Limits = Readonly<typeof DEFAULT_LIMITS>;
