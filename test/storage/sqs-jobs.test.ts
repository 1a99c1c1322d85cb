import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test } from 'vitest';
import { OWN_VERSIONS } from '../../lib/engines/threads/versions.ts';
import { createEnginesAnalyzer } from '../../lib/jobs/engines-analyzer.ts';
import { Job } from '../../lib/jobs/job.ts';
import { runJob } from '../../lib/jobs/run-job.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { createS3Blobs } from '../../lib/storage/s3/s3.ts';
import { createSqsJobs } from '../../lib/storage/sqs/jobs.ts';
import { type AnalyzerRig, describeAnalyzer } from '../pipeline/analyzer-contract.ts';
import { scriptedRunner } from '../service/scripted-service.ts';
import { fakeS3 } from './fake-s3.ts';

const url = (kind: string) => `https://sqs.eu-central-1.amazonaws.com/123456789012/${kind}`;
const queueUrls = { static: url('static'), sandbox: url('sandbox'), cdr: url('cdr'), url_analysis: url('url') };
const JOB: Job = {
  kind: 'url_analysis',
  question: 'ab'.repeat(32),
  group: '0123456789abcdef0123456789abcdef',
  versions: 'url-1',
  url: 'https://a.test/',
};

function make() {
  const client = new SQSClient({ region: 'eu-central-1', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } });
  return { mock: mockClient(client), jobs: createSqsJobs({ client, queueUrls }) };
}

test('a job goes to the queue of its kind, in the group of its run', async () => {
  const { mock, jobs } = make();
  mock.on(SendMessageCommand).resolves({});
  await jobs.send(JOB);
  const input = { QueueUrl: url('url'), MessageBody: JSON.stringify(JOB), MessageGroupId: JOB.group };
  expect(mock.commandCalls(SendMessageCommand).map(({ args }) => args[0].input)).toEqual([input]);
});

test('a fault that passes is told from one that does not', async () => {
  const { mock, jobs } = make();
  mock.on(SendMessageCommand).rejects(Object.assign(new Error('slow'), { name: 'ThrottlingException' }));
  await expect(jobs.send(JOB)).rejects.toThrow(TransientError);
  mock.on(SendMessageCommand).rejects(Object.assign(new Error('no'), { name: 'AccessDenied' }));
  await expect(jobs.send(JOB)).rejects.toThrow(/^no$/);
});

test('a function without the queue of a kind says so', async () => {
  const client = new SQSClient({ region: 'eu-central-1' });
  await expect(createSqsJobs({ client, queueUrls: { ...queueUrls, url_analysis: null } }).send(JOB)).rejects.toThrow(
    'no queue for url_analysis',
  );
});

/** S3 and SQS as their clients see them; a message is handed out as soon as it is sent. */
function awsRig(): AnalyzerRig {
  const { client } = fakeS3();
  const blobs = createS3Blobs({ client, buckets: { work: 'a-work' } });
  const { mock, jobs } = make();
  const run = (...args: Parameters<typeof scriptedRunner.run>) =>
    scriptedRunner.run(...args).catch(
      () =>
        ({
          outcome: 'failed',
          failure: { code: 'engine_failed', message: 'scripted' },
          engineVersion: 'scripted-1',
        }) as const,
    );
  mock.on(SendMessageCommand).callsFake(({ MessageBody }) => {
    const job = Job.parse(JSON.parse(MessageBody));
    void runJob({ blobs, run, versions: OWN_VERSIONS, maxBytes: 1_000_000 }, job);
    return {};
  });
  return {
    analyzer: createEnginesAnalyzer({ blobs, queue: jobs, versions: OWN_VERSIONS }),
    store: (sha256, bytes) => blobs.put('work', keys.artifact(sha256), bytes),
  };
}

const shared = awsRig();
describeAnalyzer('the engines behind S3 and SQS', () => shared);
