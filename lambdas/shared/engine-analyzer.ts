/** The analyzer of each kind in this deployment: an engine of the stack if the kind has a queue, otherwise the service. */
import { OWN_VERSIONS } from '../../lib/engines/threads/versions.ts';
import { createEnginesAnalyzer } from '../../lib/jobs/engines-analyzer.ts';
import { forEachKind, type JobQueue } from '../../lib/jobs/job.ts';
import { versionsVisitedOn } from '../../lib/jobs/own-versions.ts';
import { analyzerByKind } from '../../lib/pipeline/analysis/analyzer-by-kind.ts';
import {
  type PollSchedule,
  STEP_FUNCTIONS_SCHEDULE,
  withOwnEngines,
} from '../../lib/pipeline/analysis/poll-schedule.ts';
import { KINDS, type Kind } from '../../lib/pipeline/model.ts';
import type { Analyzer } from '../../lib/pipeline/ports.ts';
import { workBucket } from './engine-runtime.ts';
import { optionalSetting } from './runtime.ts';

type QueueUrls = Readonly<Record<Kind, string | null>>;

const queues = (): QueueUrls => forEachKind((kind) => optionalSetting(`AIRLOCK_${kind.toUpperCase()}_QUEUE`));

/** Makes the analyzer of all kinds. `service` is opened when a kind needs it. */
export function analyzerWithEngines(service: Analyzer): Analyzer {
  const queueUrls = queues();
  if (Object.values(queueUrls).every((url) => url === null)) return service;
  const queue = queueOnceUsed(queueUrls);
  const today = new Date().toISOString().slice(0, 10);
  const versions = optionalSetting('AIRLOCK_VISITS') === null ? OWN_VERSIONS : versionsVisitedOn(today);
  const engines = createEnginesAnalyzer({ blobs: workBucket(), queue, versions });
  return analyzerByKind(forEachKind((kind) => (queueUrls[kind] === null ? service : engines)));
}

/** Only `submit` sends jobs. `poll` and `fetch` have the same analyzer and never load the client of the queue. */
function queueOnceUsed(queueUrls: QueueUrls): JobQueue {
  let opened: Promise<JobQueue> | null = null;
  return {
    async send(job) {
      opened ??= import('./engine-queue.ts').then(({ openQueue }) => openQueue(queueUrls));
      await (await opened).send(job);
    },
  };
}

/** Returns the times of the polls. Our engines answer sooner than a service, unless they open pages of others. */
export function scheduleWithEngines(): PollSchedule {
  const queueUrls = queues();
  const isVisiting = optionalSetting('AIRLOCK_VISITS') !== null;
  const own = KINDS.filter((kind) => queueUrls[kind] !== null && !(kind === 'url_analysis' && isVisiting));
  return withOwnEngines(STEP_FUNCTIONS_SCHEDULE, own);
}
