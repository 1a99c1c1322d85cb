/** The gateway: a door, a spool, a queue and a next hop, put together. It judges nothing itself. */
import { type Door, openDoor } from './door.ts';
import { type Files, nodeFiles } from './files.ts';
import type { Judge } from './judge.ts';
import type { GatewayLimits } from './limits.ts';
import type { GatewayLog } from './log.ts';
import type { LoopKey } from './loop.ts';
import { type Metrics, openMetrics } from './metrics.ts';
import { serveMetrics } from './metrics-server.ts';
import { openMilterDoor } from './milter/milter-door.ts';
import { type OfferDesk, openOffers } from './milter/offers.ts';
import { type NextHop, openNextHop } from './next-hop.ts';
import { noticeTeller } from './notices.ts';
import { pressureOf } from './pressure.ts';
import { openQueue, type Queue } from './queue.ts';
import { measure, openReporting, type Reporting } from './reporting.ts';
import { removeRequest, requestsIn } from './requests.ts';
import { removeOld } from './retention.ts';
import type { DoorSettings, HostPort, MilterSettings, NextSettings, NoticeSettings } from './settings.ts';
import { openSpool, type Spool } from './spool.ts';
import type { Entry } from './spool-reading.ts';
import { type Alarms, systemAlarms } from './timers.ts';
import { watchXforward } from './xforward-watch.ts';

export interface GatewayOptions {
  /** The root of the spool, and of everything that the judge writes. */
  readonly root: string;
  readonly door: DoorSettings | MilterSettings;
  readonly next: NextSettings;
  readonly notices: NoticeSettings | null;
  readonly metrics: HostPort | null;
  readonly limits: GatewayLimits;
  readonly loopKey: LoopKey;
  readonly judge: Judge;
  /** Ends judgements that are in progress. Called when the gateway closes and `drainSeconds` are over. */
  readonly abandonJudgements: () => void;
  readonly log: GatewayLog;
  /** Returns the bytes of memory that this process and its judge use. @default those of this process */
  readonly residentBytes?: () => number;
  /** @default the clock of the system */
  readonly now?: () => number;
  /** @default by the clock of the system */
  readonly alarms?: Alarms;
  /** @default the disk below `root` */
  readonly files?: Files;
}

export interface Gateway {
  /** The ports in use, also where port 0 was requested. */
  readonly port: number;
  readonly metricsPort: number | null;
  /** Ends connections that are too slow, and carries out requests. It also runs by itself. */
  lookAround(): Promise<void>;
  /** Removes the remains of old runs. It also runs by itself. */
  removeOld(): Promise<number>;
  metricsText(): Promise<string>;
  /** Takes nothing new, lets work in progress end, and resolves when all is closed. Remaining messages continue with the next start. */
  close(): Promise<void>;
}

const LOOK_AROUND_MS = 5_000;
/** The interval after which all held messages are checked, in case the disk did not report a release. */
const LOOK_FOR_RELEASED_MS = 60_000;
const REMOVE_OLD_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The parts of a gateway and the settings that they share. */
interface Parts extends Required<GatewayOptions> {
  readonly measured: Metrics;
  readonly reporting: Reporting;
}

/**
 * Opens the gateway, and continues with the messages that an earlier process left in the spool. Rejects when an address or the folder
 * cannot be used.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { now = Date.now, files = nodeFiles(options.root), alarms = systemAlarms(now) } = options;
  const { residentBytes = process.memoryUsage.rss } = options;
  const measured = openMetrics();
  const parts: Parts = {
    ...options,
    now,
    files,
    alarms,
    residentBytes,
    measured,
    reporting: openReporting(options.log, measured, now),
  };
  const spool = await openSpool(files, now);
  const nextHop = openNextHop(options.next, options.limits, { now, alarms });
  const offers = openOffers({
    ...{ spool, judge: options.judge, now, alarms },
    held: options.door.protocol === 'milter' ? options.door.held : 'hold',
    waitMs: options.door.protocol === 'milter' ? options.door.waitSeconds * 1000 : 0,
    onTaken: parts.reporting.accepted,
    onFault: parts.reporting.fault,
  });
  const queue = connected(parts, { spool, nextHop, offers });
  // This comes before anything arrives: the spool now holds only messages of an earlier process.
  const left = await spool.recover();
  const door = await doorOf(parts, spool, queue, offers);
  const metricsText = () => textOf(parts, queue);
  const metrics = options.metrics && (await serveMetrics(options.metrics, metricsText));
  goOn(options.log, left, queue);

  const lookAround = async () => {
    door.endSlowPeers();
    await carryOut(parts, queue);
  };
  const removeOldRuns = () => removeRuns(parts, queue);
  const stopTimers = startTimers(parts, queue, lookAround, removeOldRuns);
  await queue.lookForReleased();
  return {
    port: door.port,
    metricsPort: metrics?.port ?? null,
    lookAround,
    removeOld: removeOldRuns,
    metricsText,
    async close() {
      stopTimers();
      await drain(parts, { door, queue, nextHop });
      await metrics?.close();
    },
  };
}

/** Carries out the requests of people, which lie in the spool. */
async function carryOut({ files, log }: Parts, queue: Queue): Promise<void> {
  for (const request of await requestsIn(files)) {
    const end = await queue.request(request);
    if (end === 'busy') continue;
    await removeRequest(files, request);
    log(end === 'done' ? 'info' : 'warn', 'request', { ...request, end });
  }
}

/** Removes the remains of old runs that no message of the queue needs. */
function removeRuns({ files, judge, limits, now }: Parts, queue: Queue): Promise<number> {
  const runs = new Set([...queue.entries()].flatMap(({ progress: { runId, first } }) => runId ?? first?.runId ?? []));
  const before = now() - limits.keptDays * DAY_MS;
  return removeOld({ files, before, runs, forget: judge.forget });
}

/** Begins the work that repeats itself. Returns the function that ends it. */
function startTimers(
  { judge, reporting }: Parts,
  queue: Queue,
  lookAround: () => Promise<void>,
  removeOldRuns: () => Promise<number>,
): () => void {
  const repeated = (work: () => Promise<unknown>, everyMs: number) =>
    setInterval(() => void work().catch((error: unknown) => reporting.fault(error)), everyMs);
  const timers = [
    repeated(lookAround, LOOK_AROUND_MS),
    repeated(() => queue.lookForReleased(), LOOK_FOR_RELEASED_MS),
    repeated(removeOldRuns, REMOVE_OLD_MS),
  ];
  const stopWatching = judge.onReleased((runId) => {
    void queue.lookForReleased(runId).catch((error: unknown) => reporting.fault(error));
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
    stopWatching();
  };
}

/** Takes nothing new, and resolves when everything in progress has ended. */
async function drain(
  { abandonJudgements, alarms, limits }: Parts,
  { door, queue, nextHop }: { readonly door: Door; readonly queue: Queue; readonly nextHop: NextHop },
): Promise<void> {
  const drainMs = limits.drainSeconds * 1000;
  const last = setTimeout(() => {
    abandonJudgements();
    nextHop.abandon();
  }, drainMs);
  alarms.close();
  await Promise.all([door.close(drainMs), queue.stop()]);
  // A message that arrived while the door was closing is on disk, and waits for the next start.
  await queue.stop();
  clearTimeout(last);
  nextHop.close();
}

/** Returns the queue, which informs people by notices. A notice is a message, and passes through the queue itself. */
function connected(
  parts: Parts,
  { spool, nextHop, offers }: Pick<Parameters<typeof openQueue>[0], 'spool' | 'nextHop' | 'offers'>,
): Queue {
  const { limits, now, alarms, measured, reporting, judge, loopKey } = parts;
  return openQueue({
    ...{ spool, judge, nextHop, limits, loopKey, offers, now, alarms, onFault: reporting.fault },
    onChange(entry, before) {
      if (before !== null) reporting.changed(entry, before);
    },
    onSplit: reporting.split,
    onFirst: reporting.first,
    onPossibleDuplicate: reporting.possibleDuplicate,
    tell: noticeTeller({
      ...{ spool, judge, limits, settings: parts.notices, name: parts.door.name, now },
      onEnd: (end) => measured.count('notices_total', 1, end),
    }),
  });
}

/** Opens the door: SMTP or LMTP, where each message is ours with the answer, or milter, where a mail server offers messages. */
async function doorOf(parts: Parts, spool: Spool, queue: Queue, offers: OfferDesk): Promise<Door> {
  const { door: settings, limits, loopKey, now, measured, reporting } = parts;
  const shared = {
    ...{ limits, spool, loopKey, now },
    pressure: () =>
      pressureOf({ ...parts, queued: () => queue.size() }).catch((error: unknown) => {
        reporting.fault(error);
        throw error;
      }),
    onRefusal: reporting.refused,
    onConnections: (count: number) => measured.set('connections', count),
    onFault: reporting.fault,
  };
  const onOffered = (entry: Entry) => queue.add(entry);
  if (settings.protocol === 'milter')
    return openMilterDoor({ ...shared, settings, offers, onOffered, onAnswer: reporting.answered });
  const onAccepted = (entry: Entry) => {
    reporting.accepted(entry);
    queue.add(entry);
  };
  const watch = await watchXforward(parts.files, reporting.withoutXforward, reporting.fault);
  const door = await openDoor({ ...shared, settings, onAccepted, onForwarded: watch.took, onCut: reporting.cut });
  return {
    ...door,
    async close(graceMs) {
      await door.close(graceMs);
      await watch.settled();
    },
  };
}

/** Continues with the messages of an earlier process. */
function goOn(log: GatewayLog, { entries, damaged }: Awaited<ReturnType<Spool['recover']>>, queue: Queue): void {
  for (const id of damaged) log('error', 'damaged', { id });
  for (const entry of entries) queue.add(entry);
}

async function textOf({ measured, files, now }: Parts, queue: Queue): Promise<string> {
  measure(measured, queue.entries(), now());
  measured.set('free_disk_bytes', await files.freeBytes());
  return measured.text();
}
