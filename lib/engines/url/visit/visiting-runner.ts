/**
 * Lets the engines visit URLs. Requests are made here in the parent, where waiting costs no thread. The engines read the answers in their
 * worker threads, under the deadlines of the pool. Chromium runs in its own process group.
 */

import { createHash } from 'node:crypto';
import { parseUrl } from '../../../formats/urls/parse-url.ts';
import { createSemaphore } from '../../threads/semaphore.ts';
import type { EngineReport, EngineTask } from '../../threads/task.ts';
import { type EngineVersions, versionsWithVisits } from '../../threads/versions.ts';
import type { PageFacts, VisitedFile } from '../../url-report.ts';
import { pageText } from '../page.ts';
import { isWebUrl } from '../scheme.ts';
import { CONCURRENT_VISITS } from './limits.ts';
import { type ChromiumSettings, pictureOf } from './screenshot.ts';
import { type VisitOptions, type VisitReaders, visitUrl } from './visit-url.ts';

/** Runs the engines. The worker pool is a runner. */
export interface Runner {
  run(task: EngineTask, group?: string): Promise<EngineReport>;
  versions?(): Promise<EngineVersions>;
}

export interface VisitSettings extends VisitOptions {
  /** Draws pages; null draws none. */
  readonly chromium: ChromiumSettings | null;
}

/** Returns the same runner, but URLs of the web are visited before they are judged. */
export function withVisits<R extends Runner>(runner: R, settings: VisitSettings): R {
  const semaphore = createSemaphore(CONCURRENT_VISITS);
  // Only one browser runs at a time, because it takes hundreds of megabytes.
  const pictureGate = createSemaphore(1);
  const readersOf = (group?: string): VisitReaders => ({
    readPage: (bytes, url, contentType) => readPage(runner, group, bytes, url, contentType),
    judgeFile: (bytes, untrustedName) => judgeFile(runner, group, bytes, untrustedName),
    picture: async (bytes, contentType, signal) => {
      const { chromium } = settings;
      // Pages that keep the browser busy must not delay other reports, so a visit that has ended gets no picture.
      const draw = () => (chromium && !signal.aborted ? pictureOf(pageText(bytes, contentType), chromium) : null);
      return chromium && (await pictureGate(async () => await draw()));
    },
  });
  const run = async (task: EngineTask, group?: string): Promise<EngineReport> => {
    if (task.engine !== 'url' || task.visit || !isVisited(task.url)) return await runner.run(task, group);
    const visit = await semaphore(() => visitUrl(task.url, readersOf(group), settings));
    // The judge does not need the bytes, so they are not copied to its thread and back.
    const file = visit.file && { ...visit.file, bytes: new Uint8Array() };
    const report = await runner.run({ ...task, visit: { ...visit, file, screenshot: null } }, group);
    return 'visit' in report ? { ...report, visit } : report;
  };
  const versions = async () => runner.versions && versionsWithVisits(await runner.versions());
  return { ...runner, run, ...(runner.versions && { versions }) };
}

function isVisited(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && isWebUrl(url);
}

async function readPage(
  runner: Runner,
  group: string | undefined,
  bytes: Uint8Array,
  url: string,
  contentType: string,
): Promise<PageFacts | null> {
  const input = { bytes, untrustedName: 'page.html', password: null };
  const report = await runner.run({ engine: 'page', input, url, contentType }, group);
  return report.outcome === 'completed' && 'page' in report ? report.page : null;
}

async function judgeFile(
  runner: Runner,
  group: string | undefined,
  bytes: Uint8Array,
  untrustedName: string,
): Promise<VisitedFile> {
  const report = await runner.run({ engine: 'static', input: { bytes, untrustedName, password: null } }, group);
  const digest = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  return {
    untrustedName,
    bytes,
    hashes: { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') },
    level: report.outcome === 'completed' && 'level' in report ? report.level : null,
  };
}
