/**
 * Every key of every bucket and table is built here, from run ids, hashes and closed sets only. A name that a sender chose never reaches a
 * key, so no sender can make a key that leaves its folder, collides, or has control characters. The one exception is asked for by the owner
 * of a source (`mirrored-key.ts`).
 */
import { hash as digest } from 'node:crypto';
import { FIRST_ATTEMPT } from './ledger/attempt.ts';
import { RUN_ID } from './ledger/run-id.ts';
import {
  isBeginner,
  type Kind,
  NUMBERED_STAGES,
  RELEASE_FORMS,
  type ReleaseForm,
  WRITERS,
  type Writer,
} from './model.ts';

const SHA256 = /^[0-9a-f]{64}$/;
const FILE_ID = /^file:[0-9a-f]{64}$/;
const URL_ID = /^url:[0-9a-f]{64}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const COUNT = /^\d{1,9}$/;
const EXTENSION = /^[a-z0-9]{1,8}$/;
/** The extension of a file that is sent. For a gzip it also names the content (`csv.gz`). */
const SENT_EXTENSION = /^(?:[a-z0-9]{1,16}\.)?[a-z0-9]{1,8}$/;
const ATTEMPT = /^[1-9]\d{0,3}$/;
const KEY_OWNER = new RegExp(`^(?:${WRITERS.join('|')})$`);
const ENTRY_NAME = new RegExp(
  `^(?:${[...new Set(WRITERS.map((name) => entryName(name, '[1-9]\\d{0,5}')))].join('|')})$`,
);
const FORM = new RegExp(`^(?:${RELEASE_FORMS.join('|')})$`);
const KEY_ID = /^[0-9a-f]{32}$/;

/**
 * Returns the name of the entry of a stage in a chain. Entries of `NUMBERED_STAGES` are counted from 1. All writers that can begin an
 * attempt use one name, which is written once. So if two begin at once, only one of them does.
 */
export function entryName(stage: Writer, number: number | string): string {
  if (isBeginner(stage)) return 'begun';
  return NUMBERED_STAGES.includes(stage) ? `${stage}-${number}` : stage;
}

/** Lower-case hexadecimal SHA-256 of the bytes or of the UTF-8 form of the text. */
export function sha256Hex(data: Uint8Array | string): string {
  return digest('sha256', data, 'hex');
}

/**
 * Returns the id of the run of one version of one intake object: the same event twice gives the same run. In a bucket without versions,
 * each upload under a key has its own run. An object that was dropped at a desk is written once under a unique key, so its id is known
 * before it has a version. 32 hex digits.
 */
export function runIdOf(intake: {
  readonly bucket: string;
  readonly untrustedKey: string;
  readonly versionId: string;
  readonly upload?: { readonly etag: string; readonly sequencer: string } | undefined;
  readonly dropped?: true | undefined;
}): string {
  if (intake.dropped) return sha256Hex(JSON.stringify([intake.bucket, intake.untrustedKey])).slice(0, 32);
  const upload = intake.upload ? [intake.upload.etag, intake.upload.sequencer] : [];
  return sha256Hex(JSON.stringify([intake.bucket, intake.untrustedKey, intake.versionId, ...upload])).slice(0, 32);
}

/** A question to a service about one artifact. */
export interface Asked {
  readonly kind: Kind;
  readonly id: string;
  readonly extension: string;
  readonly password: string | null;
}

function checked(value: string, pattern: RegExp, what: string): string {
  if (!pattern.test(value)) throw new TypeError(`not a ${what}: ${JSON.stringify(value.slice(0, 80))}`);
  return value;
}
const run = (runId: string) => checked(runId, RUN_ID, 'run id');
const hash = (sha256: string) => checked(sha256, SHA256, 'sha256');
const attempt = (number: number) => checked(String(number), ATTEMPT, 'number of an attempt');
/** Returns the ending of the name of a later attempt. The first attempt has none. */
const ofAttempt = (number: number) => (number === FIRST_ATTEMPT ? '' : `-${attempt(number)}`);
/** Returns the ending of the key of a note that replaces an earlier one. */
const again = (time: number) => (time === 1 ? '' : `-${checked(String(time), COUNT, 'number of a note')}`);
const published = (owner: string, keyId: string) =>
  `keys/${checked(owner, KEY_OWNER, 'owner of a key')}-${checked(keyId, KEY_ID, 'key id')}.json`;

/**
 * Returns the question that the report of an engine answers, as one hash of everything on which the answer depends. If an engine gave no
 * answer for a temporary reason, another `attempt` asks again. It belongs to one run alone, because one mail must not use up the attempts
 * of another.
 */
export function engineQuestion(
  asked: {
    readonly versions: string;
    readonly kind: Kind;
    readonly id: string;
    /** The engines read the extension. */
    readonly filename: string;
    readonly password: string | null;
  },
  attempt: { readonly group: string; readonly number: number } | null,
): string {
  const { versions, kind, id, filename, password } = asked;
  const again = attempt === null ? [] : [attempt.group, attempt.number];
  return sha256Hex(JSON.stringify([versions, kind, id, filename, password, ...again]));
}

export const keys = {
  /** Work bucket: everything of a run. */
  run: (runId: string) => `runs/${run(runId)}`,
  /** On a laptop: the ledger as a file for people. No stage reads it. */
  ledgerView: (runId: string) => `runs/${run(runId)}/ledger.json`,
  /** Work bucket: the page of the mail, as a file for people. */
  mailPage: (runId: string) => `runs/${run(runId)}/page.html`,
  /** Work bucket: the chain of an attempt up to the entry of this name, inclusive. */
  entry: (runId: string, number: number, name: string) =>
    `runs/${run(runId)}/${attempt(number)}/${checked(name, ENTRY_NAME, 'name of an entry')}.json`,
  /** Work and clean bucket: the public key that verifies the entries of a stage. */
  publicKey: published,
  /** Work bucket: the public key that verifies the links of recipients. */
  linkKey: () => 'keys/links.json',
  /** Work bucket: the envelope of an object that an outside service received. */
  envelope: (bucket: string, untrustedKey: string) =>
    `envelopes/${sha256Hex(JSON.stringify([bucket, untrustedKey]))}.json`,
  /** Work bucket: the recipients to whom the message of a run was sent on. */
  forwarded: (runId: string) => `forwarded/${run(runId)}.json`,
  /** Work bucket: the claim of a try to send the message of a run on, counted from 1. */
  forwarding: (runId: string, time: number) =>
    `forwarded/${run(runId)}-${checked(String(time), COUNT, 'number of a try')}.json`,
  /** Work bucket: a note of a result of ours that was put under a foreign key, by its place and its content. */
  placed: (bucket: string, untrustedKey: string, sha256: string) =>
    `placed/${sha256Hex(JSON.stringify([bucket, untrustedKey, hash(sha256)]))}.json`,
  /** Work bucket: the object of the run, in case its ledger cannot be read. */
  intake: (runId: string) => `runs/${run(runId)}/intake.json`,
  /**
   * Work bucket: the first of two people who release the run in this form, as this attempt of it. A number (2, 3 …) follows when the
   * earlier note has lapsed.
   */
  asked: (runId: string, number: number, form: ReleaseForm, time = 1) =>
    `runs/${run(runId)}/${attempt(number)}/asked-${checked(form, FORM, 'form of a release')}${again(time)}.json`,
  /** Work bucket: the note that a person dropped the object of the run. */
  dropNote: (runId: string) => `runs/${run(runId)}/dropped.json`,
  /** Work bucket: a record of the audit trail, by its number. */
  audit: (sequence: number) => `audit/${checked(String(sequence), COUNT, 'number of a record').padStart(9, '0')}.json`,
  /** Work bucket: the head, which names the newest record of the audit trail. */
  auditHead: () => 'audit/head.json',
  /** Work bucket: the block list up to a record of the trail. */
  blockSummary: () => 'audit/blocks.json',
  /** Work bucket: the list of the operator. Only the operator writes it. */
  operatorLists: () => 'lists/lists.txt',
  /** Work bucket: the note of how a later attempt begins. */
  beginning: (runId: string, number: number) => `runs/${run(runId)}/${attempt(number)}/beginning.json`,
  /** Work bucket: the end of the attempt that was claimed first. */
  terminal: (runId: string, number: number) => `runs/${run(runId)}/${attempt(number)}/terminal.json`,
  /** Work bucket. A repeated stage never replaces an object that its entry names. */
  rebuilt: (runId: string, sha256: string) => `runs/${run(runId)}/rebuilt-${hash(sha256)}`,
  /** Work bucket: the parts of the rebuilt message that `deliver` signs. A repeated stage never replaces an object that its entry names. */
  sealPlan: (runId: string, sha256: string) => `runs/${run(runId)}/rebuilt-${hash(sha256)}.seal.json`,
  /** Work bucket: a place among the notices about one sender in one hour, counted from the epoch. */
  noticeSlot: (sender: string, hour: number, slot: number) =>
    `notices/${hash(sender)}/${checked(String(hour), COUNT, 'hour')}-${checked(String(slot), COUNT, 'place')}`,
  /** Work bucket: a place in the budget of a day for an analysis. Places are taken one after the other, from 1. */
  budgetPlace: (kind: Kind, day: string, place: number) =>
    `budget/${kind}/${checked(day, DAY, 'day')}/${checked(String(place), COUNT, 'place')}`,
  /** Work bucket: a place in the budget of a mail for an analysis, and the file that has it. */
  mailBudgetPlace: (kind: Kind, runId: string, place: number) =>
    `budget/${kind}/${run(runId)}/${checked(String(place), COUNT, 'place')}`,
  /** Work bucket: the last statement of a service about its quota. */
  quotaNote: () => 'budget/quota.json',
  /** Work bucket: the run that first met a sender (by the hash of its address) or a file, and the time. */
  seen: (what: 'sender' | 'file', sha256: string) => `seen/${what}/${hash(sha256)}`,
  /** Work bucket: the request of a recipient (by the hash of his address) for the message of a run. */
  ask: (runId: string, recipient: string) => `asks/${run(runId)}/${hash(recipient)}`,
  /** Work bucket, for a day: the original of a run in a zip, for the person who takes it out by a record of the audit trail. */
  takeOut: (runId: string, record: number) =>
    `takeouts/${run(runId)}/${checked(String(record), COUNT, 'number of a record')}.zip`,
  /** Work bucket: the saved views of the desk. */
  savedViews: () => 'desk/views.json',
  /** Work bucket: the note that a file is worse than when it was delivered. */
  worse: (sha256: string) => `worse/${hash(sha256)}.json`,
  /** Work bucket: the note that people were told of a worse file that a run delivered. */
  recalled: (runId: string) => `recalled/${run(runId)}`,
  /** Work bucket: the note that an event told of a run that delivered a file which is worse now. */
  recalledFile: (runId: string, sha256: string) => `recalled/${run(runId)}/${hash(sha256)}`,
  /**
   * Work bucket: the note that a recipient (by the hash of his address) was sent a mail about a run that delivered something harmful. A
   * number (2, 3 …) follows when the try before has failed. The folder differs from `recalled`, which may be a file.
   */
  recallMail: (runId: string, recipient: string, time = 1) =>
    `recalled/${run(runId)}-mail-${hash(recipient)}${again(time)}`,
  /** Work bucket: the note that each recipient of such a run has his mail. */
  recallMailed: (runId: string) => `recalled/${run(runId)}-mailed`,
  /** Work bucket: the note that a delivered file was checked again on this day. */
  rechecked: (day: string, sha256: string) => `rechecked/${checked(day, DAY, 'day')}/${hash(sha256)}`,
  /**
   * Work bucket: the note that a recipient (by the hash of his address) was sent the digest of this day. A number (2, 3 …) follows when the
   * try before has failed.
   */
  digest: (day: string, recipient: string, time = 1) =>
    `digests/${checked(day, DAY, 'day')}/${hash(recipient)}${again(time)}`,
  /** Work bucket, by content and shared by all runs. */
  artifact: (sha256: string) => `artifacts/${hash(sha256)}`,
  /** Work bucket, by content and shared by all runs. */
  disarmed: (sha256: string) => `disarmed/${hash(sha256)}`,
  /** Work bucket: the report of an engine on one question (`engineQuestion`), as JSON. Written once, after its file. */
  engineReport: (kind: Kind, question: string) => `reports/${kind}/${hash(question)}.json`,
  /** Work bucket: a file that an engine wrote for a question. Its content names it, so that two runs of one job do not mix. */
  engineFile: (kind: Kind, question: string, sha256: string) => `reports/${kind}/${hash(question)}/${hash(sha256)}`,
  /** Clean bucket. It is written last. When it exists, everything else of the run exists, too. */
  cleanMessage: (runId: string) => `${run(runId)}/message.eml`,
  /** Clean bucket: the chain of the run. It records the judgement, and every stage signed its part. */
  cleanEvidence: (runId: string) => `${run(runId)}/evidence.json`,
  /** Clean bucket: the message that went out before the end of the run, and the chain up to that point. */
  cleanEarly: (runId: string) => `${run(runId)}/first.eml`,
  cleanEarlyEvidence: (runId: string) => `${run(runId)}/first-evidence.json`,
  /** Clean bucket: a delivered file under its own hash, with an extension from the closed list of types. */
  cleanFile: (runId: string, sha256: string, extension: string) =>
    `${run(runId)}/files/${hash(sha256)}.${checked(extension, EXTENSION, 'file extension')}`,
  /** Quarantine bucket: the common prefix of the keys of a held run. */
  held: (runId: string) => `${run(runId)}/`,
  /** Quarantine bucket: the original message. */
  quarantinedOriginal: (runId: string) => `${run(runId)}/original`,
  /** Quarantine bucket: the notice of an attempt about the message, as an email that is ready to be sent. */
  quarantineNotice: (runId: string, attempt: number) => `${run(runId)}/notice${ofAttempt(attempt)}.eml`,
  /**
   * Quarantine bucket: the reasons of an attempt, as JSON. Written last. Each attempt has its own name, so that a late function of an
   * earlier attempt cannot overwrite it.
   */
  quarantineRecord: (runId: string, attempt: number) => `${run(runId)}/record${ofAttempt(attempt)}.json`,
  /**
   * Submissions table: the service with its engines and rules, and everything in the request on which the answer depends. The extension is
   * part of it, because the same bytes mean something else as another type. The password is part of it, because a report without it only
   * says that the artifact is encrypted. Throws TypeError when the kind does not exist for this type of artifact.
   */
  submission: (scope: string, { kind, id, extension, password }: Asked) =>
    [
      sha256Hex(scope).slice(0, 16),
      kind,
      checked(id, kind === 'url_analysis' ? URL_ID : FILE_ID, `artifact for ${kind}`),
      ...(extension === '' ? [] : [checked(extension, SENT_EXTENSION, 'file extension')]),
      // The mark is longer than any extension, so that neither is mistaken for the other.
      ...(password === null ? [] : [sha256Hex(password).slice(0, 16)]),
    ].join(':'),
};
