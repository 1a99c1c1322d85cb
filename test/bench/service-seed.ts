/** A store with a hundred thousand submissions of all kinds, as a busy year leaves it. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteStore } from '../../lib/service/server/store/sqlite-store.ts';
import { isVisibleTo } from '../../lib/service/server/store/submission-facts.ts';
import { type StoredSubmission, scheduledReport } from '../../lib/service/server/store/submissions.ts';
import type { Progress } from './figure.ts';

export const STORED = 100_000;
export const FIRST_MS = Date.UTC(2026, 0, 1);
/** One every five minutes. */
export const STEP_MS = 300_000;

const LEVELS = ['benign', 'benign', 'benign', 'suspicious', 'unknown', 'malicious'] as const;
const EXTENSIONS = ['docx', 'pdf', 'zip', 'html', 'xlsx'] as const;
const NAMES = ['Invoice', 'Rechnung März', 'scan', 'report final', 'CV'] as const;
const RULES = ['office-macro', 'pdf-javascript', 'html-smuggling', 'double-extension'] as const;

const pick = <T>(from: readonly T[], number: number): T => from[number % from.length] as T;

/** Fills the store of a data directory and returns the ids of the submissions that the workspace `local` may see. */
export async function seed(dataDirectory: string, progress: Progress): Promise<string[]> {
  const directory = join(dataDirectory, 'analysis');
  await mkdir(directory, { recursive: true });
  const store = openSqliteStore(join(directory, 'submissions.db'));
  const ids: string[] = [];
  for (let number = 0; number < STORED; number += 1) {
    const submission = stored(number);
    await store.add(submission, null);
    // What another workspace keeps private cannot be asked for.
    if (isVisibleTo(submission, 'local')) ids.push(submission.uuid);
    if (number % 20_000 === 0) progress(`${number} of ${STORED} submissions stored`);
  }
  await store.close();
  return ids;
}

/** The file that is submitted again and again. */
export const hashesOf = (number: number) => {
  const digest = (algorithm: string) =>
    createHash(algorithm)
      .update(`file ${number % 60_000}`)
      .digest('hex');
  return { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') };
};

function stored(number: number): StoredSubmission {
  const isUrl = number % 5 === 4;
  const level = pick(LEVELS, number);
  const isBad = level === 'suspicious' || level === 'malicious';
  const extension = pick(EXTENSIONS, number);
  const createdAtMs = FIRST_MS + number * STEP_MS;
  const finding = { id: pick(RULES, number), name: 'a rule', description: 'why it matters', score: 60, rule: null };
  return {
    uuid: randomUUID(),
    kind: isUrl ? 'url' : 'static',
    subject: isUrl
      ? { type: 'url', url: `https://example.test/${number}` }
      : {
          type: 'file',
          untrustedName: `${pick(NAMES, number)} ${number}.${extension}`,
          size: 10_000 + number,
          hashes: hashesOf(number),
          detectedType: { type: `application/${extension}`, extension, description: extension },
          entrypoint: null,
          showsDetectedType: true,
        },
    private: number % 3 === 0,
    workspace: number % 10 === 0 ? 'others' : 'local',
    keyId: 'seed',
    reports: [
      {
        ...scheduledReport(isUrl ? 'url_analysis' : 'static'),
        status: 'completed',
        level,
        score: isBad ? 60 : 0,
        findings: isBad ? [{ ...finding, level }] : [],
        engineVersion: 'seed',
        durationSeconds: 0.01,
      },
    ],
    sanitizedFile: null,
    cdr: null,
    attempts: 1,
    createdAtMs,
    updatedAtMs: createdAtMs,
  };
}
