import type { StageName } from '../../pipeline/model.ts';
import type { Bucket } from '../../pipeline/ports.ts';

/** The access of one stage, besides its own log and its own signing secret. */
export interface StageAccess {
  readonly reads: readonly Bucket[];
  /** Names of the objects that it writes, in each bucket. An asterisk means any characters. */
  readonly writes: Readonly<Partial<Record<Bucket, readonly string[]>>>;
  readonly uses: readonly ('submissions' | 'analysis' | 'events')[];
}

const WORK: readonly Bucket[] = ['work'];
/** Every name: the bucket has only one writer. */
const ALL = ['*'];

/**
 * The permissions of each stage in one table. The roles are made from it. Only `deliver` writes the clean bucket. Only `quarantine` writes
 * the quarantine bucket. It reads the clean one to know whether an interrupted delivery was complete. No stage that reads hostile bytes
 * (parse, rebuild) can reach anything outside.
 *
 * In the work bucket a stage writes its own entries, its own public keys, and its own findings and files. No other stage writes those
 * names. Bytes under their hash have several writers, so every reader compares the hash.
 */
export const STAGE_ACCESS: Readonly<Record<StageName, StageAccess>> = {
  parse: {
    reads: ['intake', 'work'],
    writes: { work: [...signed('parse', 'parse'), 'runs/*/intake.json', 'runs/*/beginning.json', 'artifacts/*'] },
    uses: [],
  },
  submit: {
    reads: WORK,
    writes: { work: [...signed('submit', 'submit'), 'budget/*', 'seen/*'] },
    uses: ['submissions', 'analysis'],
  },
  poll: { reads: WORK, writes: { work: signed('poll', 'poll-*') }, uses: ['submissions', 'analysis'] },
  fetch: {
    reads: WORK,
    writes: { work: [...signed('fetch', 'fetch-*'), 'disarmed/*'] },
    uses: ['submissions', 'analysis'],
  },
  decide: { reads: WORK, writes: { work: signed('decide', 'decide') }, uses: [] },
  rebuild: {
    reads: ['intake', 'work'],
    writes: { work: [...signed('rebuild', 'rebuild'), 'runs/*/rebuilt-*', 'disarmed/*'] },
    uses: [],
  },
  deliver: {
    reads: WORK,
    writes: { work: [...signed('deliver', 'deliver'), 'runs/*/terminal.json'], clean: ALL },
    uses: ['events'],
  },
  quarantine: {
    reads: ['intake', 'work', 'clean'],
    writes: {
      work: [...signed('quarantine', 'quarantine'), 'runs/*/terminal.json', 'runs/*/beginning.json', 'notices/*'],
      quarantine: ALL,
    },
    uses: ['events'],
  },
};

/** Returns the entries of a stage, and the public keys that verify them. */
function signed(stage: StageName, entry: string): readonly string[] {
  return [`runs/*/${entry}.json`, `keys/${stage}-*.json`];
}

/**
 * Returns the buckets into which a stage writes.
 *
 * @example
 * ```ts
 * writtenBuckets('submit'); // => ['work']
 * ```
 */
export function writtenBuckets(stage: StageName): Bucket[] {
  return Object.keys(STAGE_ACCESS[stage].writes) as Bucket[];
}

/** Buckets whose objects are written with tags. */
export const TAGGED: readonly Bucket[] = ['clean', 'quarantine'];
