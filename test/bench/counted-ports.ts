/** Ports that count their requests and take as long as the real ones are assumed to. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Analyzer, Blobs, SubmissionRecord, Submissions } from '../../lib/pipeline/ports.ts';
import { submissionRecordJson } from '../../lib/storage/submission-record.ts';
import { ASSUMED_LATENCY_MS, DYNAMO_UNIT_BYTES } from './prices.ts';

export interface Requests {
  /** PUT and COPY. */
  s3Writes: number;
  /** GET and HEAD. */
  s3Reads: number;
  dynamoWriteUnits: number;
  dynamoReadUnits: number;
  service: number;
  /** For the engines of the stack. */
  jobs: number;
}

export function noRequests(): Requests {
  return { s3Writes: 0, s3Reads: 0, dynamoWriteUnits: 0, dynamoReadUnits: 0, service: 0, jobs: 0 };
}

/** One S3 request for each call, as the S3 adapter makes them. */
export function countedBlobs(blobs: Blobs, requests: Requests): Blobs {
  const counting =
    (key: 's3Writes' | 's3Reads') =>
    async <T>(call: () => Promise<T>): Promise<T> => {
      requests[key] += 1;
      await delay(ASSUMED_LATENCY_MS.s3);
      return call();
    };
  const [write, read] = [counting('s3Writes'), counting('s3Reads')];
  return {
    put: (...args) => write(() => blobs.put(...args)),
    copy: (...args) => write(() => blobs.copy(...args)),
    get: (...args) => read(() => blobs.get(...args)),
    has: (...args) => read(() => blobs.has(...args)),
  };
}

/** One DynamoDB request for each call; a refused condition costs as much as a write. */
export function countedSubmissions(submissions: Submissions, requests: Requests): Submissions {
  const write = async <T>(bytes: number, call: () => Promise<T>): Promise<T> => {
    requests.dynamoWriteUnits += Math.ceil(bytes / DYNAMO_UNIT_BYTES);
    await delay(ASSUMED_LATENCY_MS.dynamo);
    return call();
  };
  const size = (record: SubmissionRecord) => Buffer.byteLength(submissionRecordJson(record)) + ITEM_OVERHEAD_BYTES;
  return {
    claim: (record, now) => write(size(record), () => submissions.claim(record, now)),
    update: (record) => write(size(record), () => submissions.update(record)),
    release: (key, runId) => write(1, () => submissions.release(key, runId)),
    async find(key, now) {
      const found = await submissions.find(key, now);
      requests.dynamoReadUnits += Math.ceil((found ? size(found) : 1) / (4 * DYNAMO_UNIT_BYTES));
      await delay(ASSUMED_LATENCY_MS.dynamo);
      return found;
    },
  };
}

/** Attribute names, the key, the claiming run and the expiry, which stand beside the record. */
const ITEM_OVERHEAD_BYTES = 180;

/** One request to the service for each call. */
export function countedAnalyzer(analyzer: Analyzer, requests: Requests): Analyzer {
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    requests.service += 1;
    await delay(ASSUMED_LATENCY_MS.service);
    return call();
  };
  return {
    // Asked of the service once in minutes, not for each mail.
    scope: (kind) => analyzer.scope(kind),
    submit: (...args) => counted(() => analyzer.submit(...args)),
    find: (...args) => counted(() => analyzer.find(...args)),
    progress: (...args) => counted(() => analyzer.progress(...args)),
    report: (...args) => counted(() => analyzer.report(...args)),
    disarmedFile: (...args) => counted(() => analyzer.disarmedFile(...args)),
  };
}
