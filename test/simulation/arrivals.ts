/** Which mails come in a seed, when, and what their events say. */
import { intakeObjectOf } from '../../lambdas/shared/events.ts';
import { runIdOf } from '../../lib/pipeline/keys.ts';
import type { Faults } from './faults.ts';
import { MAILS, type MailKind } from './mails.ts';
import type { Queue } from './queue.ts';
import { pick, roll } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import { settingOf } from './setting.ts';
import { etagOf, type Objects } from './stores.ts';

export interface Arrival {
  readonly label: string;
  readonly kind: MailKind;
  readonly runId: string;
  readonly key: string;
  /** Empty in a bucket without versions. */
  readonly versionId: string;
  readonly atMs: number;
  readonly event: object;
}

const MAX_MAILS = 6;
/** Mails of a seed come within this time: at once, within seconds, or over some minutes. */
const SPREADS_MS = [1, 3_000, 600_000] as const;

/** The mails of a seed. */
export function arrivalsOf(seed: number): Arrival[] {
  const count = 1 + Math.floor(roll(seed, 'mails') * MAX_MAILS);
  const spread = pick(seed, 'spread', SPREADS_MS);
  return Array.from({ length: count }, (_, slot) => {
    const kind = pick(seed, `kind of ${slot}`, settingOf(seed).kinds);
    const isVersioned = roll(seed, `versions of ${slot}`) < 0.8;
    return arrivalOf(slot, kind, isVersioned, roll(seed, `arrival of ${slot}`) * spread);
  });
}

/** One mail. Mails of versioned buckets share keys; their versions differ. */
export function arrivalOf(slot: number, kind: MailKind, isVersioned: boolean, atMs: number): Arrival {
  const key = isVersioned ? `inbox/${slot % 2}.eml` : `plain/${slot}.eml`;
  const versionId = isVersioned ? `${kind}-${slot}` : '';
  const which = isVersioned ? { 'version-id': versionId } : { etag: etagOf(MAILS[kind]), sequencer: `00${slot}` };
  const object = { key, size: MAILS[kind].length, ...which };
  const event = { detail: { bucket: { name: 'intake' }, object } };
  return { label: `mail ${slot}`, kind, runId: runIdOf(intakeObjectOf(event)), key, versionId, atMs, event };
}

/** Lets a mail come: its object, then its event, which may be late and come again. */
export function bring(arrival: Arrival, seed: number, to: Surroundings): void {
  const { scheduler, faults, objects, intake } = to;
  const { label, key, versionId, kind, event, atMs } = arrival;
  const body = JSON.stringify(event);
  scheduler.after(atMs, () => {
    objects.bring(key, versionId, MAILS[kind]);
    const lateMs = faults.of(label, ['event late']) === null ? 0 : roll(seed, `${label} late`) ** 2 * 3_600_000;
    intake.send(`${label} event`, body, roll(seed, `${label} sent`) * 100 + lateMs);
    if (faults.of(`${label} event`, ['event twice']) !== null)
      intake.send(`${label} event again`, body, roll(seed, `${label} again`) ** 3 * 3_600_000);
  });
  if (versionId !== '' || faults.of(`${label} object`, ['object replaced']) === null) return;
  to.onReplaced(arrival);
  scheduler.after(atMs + roll(seed, `${label} replaced`) * 3_000, () => objects.bring(key, '', MAILS.plain));
}

export interface Surroundings {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly objects: Objects;
  readonly intake: Queue;
  /** Told that other bytes will be put over those of a mail. */
  readonly onReplaced: (arrival: Arrival) => void;
}
