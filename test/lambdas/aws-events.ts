/** The environment and the events of a deployed lambda. */
import type { SQSRecord } from 'aws-lambda';
import { vi } from 'vitest';
import type { Run } from '../../lib/pipeline/model.ts';

const ENVIRONMENT = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AIRLOCK_INTAKE_BUCKET: 'an-intake',
  AIRLOCK_WORK_BUCKET: 'a-work',
  AIRLOCK_CLEAN_BUCKET: 'a-clean',
  AIRLOCK_QUARANTINE_BUCKET: 'a-quarantine',
  AIRLOCK_STATE_MACHINE_ARN: 'arn:aws:states:eu-central-1:123456789012:stateMachine:airlock',
  AIRLOCK_EVENT_BUS: 'default',
  AIRLOCK_SIGNING_SECRET: 'the-signing-secret',
} as const;

/** Test files of one process share the modules of the lambdas, and with them what a container of a lambda remembers. */
let files = 0;

/** Longer than a container of a lambda uses the same context, in milliseconds. */
const HOUR_MS = 3_600_000;

/**
 * What a file of tests calls once, before anything else: the environment, until `vi.unstubAllEnvs`, and a clock that is an hour ahead of
 * that of the file before. So each lambda builds its context anew, and publishes its key in the buckets of this file.
 */
export function awsContainers(): void {
  awsEnvironment();
  files += 1;
  const now = Date.now.bind(Date);
  const ahead = files * HOUR_MS;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
}

/** Sets the environment until `vi.unstubAllEnvs`. */
export function awsEnvironment(): void {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
}

export function theRun(runId = '0123456789abcdef0123456789abcdef'): Run {
  return { runId, attempt: 1, last: 'parse', outstanding: 0, waitSeconds: 0, polls: 0, disposition: 'undecided' };
}

export function sqsRecord(messageId: string, body: unknown): SQSRecord {
  return {
    messageId,
    receiptHandle: 'handle',
    body: JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '0',
      SenderId: 'events',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:queue',
    awsRegion: 'eu-central-1',
  };
}

/** EventBridge's event for an upload to a versioned bucket. */
export function objectCreated(key: string, versionId = 'v1', size = 100) {
  return {
    version: '0',
    id: '17793124-05d4-b198-2fde-7ededc63b103',
    'detail-type': 'Object Created',
    source: 'aws.s3',
    account: '123456789012',
    time: '2026-01-01T00:00:00Z',
    region: 'eu-central-1',
    resources: ['arn:aws:s3:::an-intake'],
    detail: {
      version: '0',
      bucket: { name: 'an-intake' },
      object: { key, size, etag: 'b1946ac92492d2347c6235b4d2611184', 'version-id': versionId, sequencer: '00617F08' },
      'request-id': 'N4N7GDK58NMKJ12R',
      requester: '123456789012',
      reason: 'PutObject',
    },
  };
}

/** EventBridge's event for an execution that began, or ended. */
export function executionEnded(runId: string, status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED') {
  const machine = ENVIRONMENT.AIRLOCK_STATE_MACHINE_ARN;
  return {
    version: '0',
    id: '315c1398-40ff-a850-213b-158f73e60175',
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account: '123456789012',
    time: '2026-01-01T01:00:00Z',
    region: 'eu-central-1',
    resources: [`${machine.replace('stateMachine', 'execution')}:${runId}-1`],
    detail: {
      executionArn: `${machine.replace('stateMachine', 'execution')}:${runId}-1`,
      stateMachineArn: machine,
      name: `${runId}-1`,
      status,
      input: JSON.stringify(theRun(runId)),
      output: null,
      error: null,
      cause: null,
    },
  };
}
