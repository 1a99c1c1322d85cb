/** The bundle of the engines, started as it is deployed: a process of its own, its own environment, and S3 over HTTP. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { S3Client } from '@aws-sdk/client-s3';
import type { SQSBatchResponse } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUNDLE_FILE, bundleOtherLambda } from '#bundles';
import { createEnginePool } from '../../lib/engines/threads/pool.ts';
import { OWN_VERSIONS } from '../../lib/engines/threads/versions.ts';
import { bundleOtherLambda as bundleAlone } from '../../lib/infra/bundling/bundle.ts';
import { OTHER_LAMBDAS } from '../../lib/infra/other-lambdas.ts';
import { createEnginesAnalyzer } from '../../lib/jobs/engines-analyzer.ts';
import type { Job } from '../../lib/jobs/job.ts';
import { createLocalQueue } from '../../lib/jobs/local-queue.ts';
import { versionsVisitedOn } from '../../lib/jobs/own-versions.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { fileIdOf, hashOf, urlIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import type { Kind, Report } from '../../lib/pipeline/model.ts';
import type { AnalysisRequest, Analyzer, Blobs } from '../../lib/pipeline/ports.ts';
import { memoryBlobs } from '../../lib/storage/memory.ts';
import { createS3Blobs } from '../../lib/storage/s3/s3.ts';
import { qrPng } from '../fixtures/build-codes.ts';
import { buildHeic } from '../fixtures/build-heic.ts';
import { buildPng } from '../fixtures/build-image.ts';
import { buildJpeg2000 } from '../fixtures/build-jpeg2000.ts';
import { buildJxl } from '../fixtures/build-jxl.ts';
import { buildDocm } from '../fixtures/build-office.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { packed } from '../formats/archives/archives.ts';
import { sqsRecord } from '../lambdas/aws-events.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { LESS_OPTIMISED } from '../runner/v8-options.ts';
import { type FakeAws, startFakeAws } from './fake-aws.ts';

/** Lambda's limit for a function with everything beside it, and ours, which keeps a cold start short. */
const MAX_MB = 45;
const GROUP = '0123456789abcdef0123456789abcdef';
const SCRIPT = "new ActiveXObject('WScript.Shell').Run('cmd.exe /c echo');";

const folders = Object.fromEntries(OTHER_LAMBDAS.map((name) => [name, scratchDirectory()]));
const jobs: Job[] = [];
const queue = {
  send: async (job: Job) => {
    jobs.push(job);
  },
};
let aws: FakeAws;
let blobs: Blobs;
let analyzer: Analyzer;

beforeAll(async () => {
  for (const name of OTHER_LAMBDAS) bundleOtherLambda(name, folders[name] ?? '');
  aws = await startFakeAws();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new S3Client({ endpoint: aws.url, forcePathStyle: true, region: 'eu-central-1', credentials });
  blobs = createS3Blobs({ client, buckets: { work: 'a-work' } });
  analyzer = createEnginesAnalyzer({ blobs, queue, versions: OWN_VERSIONS });
});
afterAll(() => aws.close());

/** Runs the handler for one event in a process that has nothing but what its template gives it. */
async function invoke(name: string, records: object[], environment: Record<string, string>): Promise<SQSBatchResponse> {
  const folder = folders[name] ?? '';
  const event = join(folder, 'event.json');
  writeFileSync(event, JSON.stringify({ Records: records }));
  const [file, event_] = [join(folder, BUNDLE_FILE), event].map((path) => JSON.stringify(path));
  const script = `require(${file}).handler(JSON.parse(require('node:fs').readFileSync(${event_}))).then((answer) => { console.log('ANSWER' + JSON.stringify(answer)); process.exit(); })`;
  const env = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_S3: aws.url,
    AIRLOCK_WORK_BUCKET: 'a-work',
    ...environment,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [...LESS_OPTIMISED, '-e', script], {
    env,
    cwd: folder,
  });
  return JSON.parse(/^ANSWER(.*)$/m.exec(stdout)?.[1] ?? 'null');
}

function fileRequest(
  kind: Exclude<Kind, 'url_analysis'>,
  bytes: Uint8Array,
  extension: string,
  password: string | null = null,
): AnalysisRequest {
  const sha256 = sha256Hex(bytes);
  aws.objects.set(`a-work/${keys.artifact(sha256)}`, Buffer.from(bytes));
  const filename = `${sha256.slice(0, 16)}.${extension}`;
  return { kind, id: fileIdOf(sha256), bytes: async () => bytes, filename, password, group: GROUP };
}

/** Sends all requests, lets the function of their kind do the jobs in one process, and reads the reports. */
async function analysed(requests: readonly AnalysisRequest[]) {
  const [{ kind }] = requests as [AnalysisRequest];
  const ids: string[] = [];
  for (const request of requests) ids.push(await analyzer.submit(request));
  const records = jobs.splice(0).map((job, index) => sqsRecord(String(index), job));
  const answer = await invoke('engine', records, { AIRLOCK_ENGINE: kind });
  expect(answer).toEqual({ batchItemFailures: [] });
  return await Promise.all(ids.map(async (id) => ({ id, report: await analyzer.report(kind, id) })));
}

/** The reports of the engines as they are in a checkout, with the build of sharp for this machine. */
async function ofThisCheckout(requests: readonly AnalysisRequest[]): Promise<Report[]> {
  const blobs = memoryBlobs();
  const pool = createEnginePool({ threads: 1 });
  const local = createLocalQueue({ blobs, run: pool.run, versions: OWN_VERSIONS, maxBytes: 10_000_000 });
  const here = createEnginesAnalyzer({ blobs, queue: local, versions: OWN_VERSIONS });
  const ids: string[] = [];
  for (const request of requests) {
    if ('bytes' in request) await blobs.put('work', keys.artifact(hashOf(request.id)), await request.bytes());
    ids.push(await here.submit(request));
  }
  await local.idle();
  await pool.close();
  return await Promise.all(ids.map((id, index) => here.report(requests[index]?.kind as Kind, id)));
}

const document = buildDocm();
const picture = () => Buffer.concat([buildPng(), Buffer.from('hidden behind the end')]);
const pdf = () => buildPdf({ javascript: true });
const safeFile = async (id: string) => Buffer.from(await analyzer.disarmedFile(id, 10_000_000));

describe('the bundled engine', () => {
  test('judges a document, a picture, a code, a PDF and archives as the engines of this checkout do', async () => {
    const requests = [
      fileRequest('static', await document, 'docm'),
      fileRequest('static', buildPng(), 'png'),
      fileRequest('static', await qrPng('https://1.2.3.4/pay'), 'png'),
      fileRequest('static', pdf(), 'pdf'),
      fileRequest('static', await packed('7z', { 'invoice.docm': Buffer.from(await document) }), '7z'),
      fileRequest('static', await packed('zip', { 'note.txt': 'text' }), 'zip'),
    ];
    const found = (await analysed(requests)).map(({ report }) => report);
    expect(found).toEqual(await ofThisCheckout(requests));
    const verdicts = ['suspicious', 'benign', 'suspicious', 'suspicious', 'suspicious', 'unknown'];
    expect(found.map(({ verdict, failure }) => [verdict, failure])).toEqual(verdicts.map((verdict) => [verdict, null]));
    expect(found[0]?.reasons.join()).toContain('VBA macros');
    expect(found[4]?.reasons.join()).toContain('invoice.docm');
  });

  test('disarms a document, a picture, a PDF and an archive', async () => {
    const requests = [
      fileRequest('cdr', await document, 'docm'),
      fileRequest('cdr', picture(), 'png'),
      fileRequest('cdr', pdf(), 'pdf'),
      fileRequest('cdr', await packed('zip', { 'note.txt': 'text', 'run.js': SCRIPT }), 'zip'),
    ];
    const found = await analysed(requests);
    expect(found.map(({ report }) => report)).toEqual(await ofThisCheckout(requests));
    const [doc, png, paper, zip] = found;
    expect(doc?.report.removed).toContain('macro');
    expect(png?.report).toMatchObject({ failure: null, readAs: 'image' });
    expect((await safeFile(png?.id ?? '')).includes('hidden behind the end')).toBe(false);
    expect(paper?.report.removed).toContain('JavaScript');
    expect((await safeFile(paper?.id ?? '')).includes('JavaScript')).toBe(false);
    expect(zip?.report.failure).toBeNull();
    expect((await safeFile(zip?.id ?? '')).includes('note.txt')).toBe(true);
  });

  test('disarms pictures that sharp cannot read', async () => {
    const requests = [
      fileRequest('cdr', buildHeic(), 'heic'),
      fileRequest('cdr', buildJxl(), 'jxl'),
      fileRequest('cdr', buildJpeg2000(), 'jp2'),
    ];
    const found = await analysed(requests);
    expect(found.map(({ report }) => report)).toEqual(await ofThisCheckout(requests));
    expect(found.map(({ report }) => [report.failure, report.hasDisarmedFile])).toEqual(
      requests.map(() => [null, true]),
    );
  });

  test('runs a script', async () => {
    const [ran] = await analysed([fileRequest('sandbox', Buffer.from(SCRIPT), 'js')]);
    expect(ran?.report).toMatchObject({ verdict: 'malicious', failure: null });
  });

  test('judges the text of a URL', async () => {
    const urls = ['http://bank.example@pay.sender.example/pay', 'https://www.sender.example/terms'];
    const found = await analysed(
      urls.map((url) => ({ kind: 'url_analysis', id: urlIdOf(url), url, group: GROUP }) as const),
    );
    expect(found.map(({ report }) => report.verdict)).toEqual(['suspicious', 'benign']);
  });

  test('visits a URL where it is told to, though never an address inside, and reports for the day of the question', async () => {
    const versions = versionsVisitedOn('2026-01-31');
    const asking = createEnginesAnalyzer({ blobs, queue, versions });
    const url = 'http://127.0.0.1/latest/meta-data';
    const request = { kind: 'url_analysis', id: urlIdOf(url), url, group: GROUP } as const;
    const id = await asking.submit(request);
    const records = [sqsRecord('a', jobs.pop())];
    const environment = { AIRLOCK_ENGINE: 'url_analysis', AIRLOCK_VISITS: 'on' };
    expect(await invoke('engine', records, environment)).toEqual({ batchItemFailures: [] });
    const report = await asking.report('url_analysis', id);
    expect(report.reasons.join()).toContain('It was not visited.');
    expect(await asking.find(request)).toBe(id);
    const tomorrow = createEnginesAnalyzer({ blobs, queue, versions: versionsVisitedOn('2026-02-01') });
    expect(await tomorrow.find(request)).toBeNull();
  });

  test('gives back a job for other engines once, then does it, and never does one of another kind', async () => {
    const id = await analyzer.submit(fileRequest('static', Buffer.from('for the next version'), 'txt'));
    const job = { ...(jobs.pop() as Job), versions: 'static-next' };
    const record = (receives: number, body: object) => {
      const made = sqsRecord('a', body);
      return { ...made, attributes: { ...made.attributes, ApproximateReceiveCount: String(receives) } };
    };
    const engine = { AIRLOCK_ENGINE: 'static' };
    expect(await invoke('engine', [record(1, job)], engine)).toEqual({ batchItemFailures: [{ itemIdentifier: 'a' }] });
    expect((await analyzer.progress('static', id)).state).toBe('pending');
    expect(await invoke('engine', [record(2, job)], engine)).toEqual({ batchItemFailures: [] });
    expect((await analyzer.progress('static', id)).state).toBe('finished');
    const wrong = { ...job, kind: 'cdr' };
    expect((await invoke('engine', [record(2, wrong)], engine)).batchItemFailures).toHaveLength(1);
  });

  test('ends a job that no function could do, and gives back what is no job', async () => {
    const id = await analyzer.submit(fileRequest('cdr', Buffer.from('deadly'), 'txt'));
    const records = [sqsRecord('a', jobs.pop()), sqsRecord('b', { odd: true })];
    expect(await invoke('engine-failed', records, {})).toEqual({ batchItemFailures: [{ itemIdentifier: 'b' }] });
    const report = await analyzer.report('cdr', id);
    expect(report).toMatchObject({ verdict: 'unknown', failure: { class: 'service_error' }, hasDisarmedFile: false });
  });
});

describe('what is in the bundle', () => {
  const filesOf = (name: string) =>
    readdirSync(folders[name] ?? '', { recursive: true, encoding: 'utf8' }).filter((path) =>
      statSync(join(folders[name] ?? '', path)).isFile(),
    );

  test('runs on every architecture: WebAssembly and no binary', () => {
    const files = filesOf('engine');
    expect(files.filter((path) => /\.(?:node|dll|dylib|so(?:\.\d+)*)$/.test(path))).toEqual([]);
    expect(files.filter((path) => path.endsWith('.wasm')).length).toBeGreaterThan(6);
  });

  test('is far below the limit of Lambda', () => {
    const bytes = filesOf('engine').reduce((sum, path) => sum + statSync(join(folders.engine ?? '', path)).size, 0);
    expect(bytes / 1e6).toBeLessThan(MAX_MB);
  });

  test('brings the licence of each package that has one', () => {
    const modules = join(folders.engine ?? '', 'node_modules');
    for (const name of ['sharp', '@embedpdf/pdfium', 'piscina', '@virustotal/yara-x']) {
      const inPackage = readdirSync(join('node_modules', name)).filter((file) => /^licen[cs]e/i.test(file));
      for (const file of inPackage) if (!file.endsWith('.md')) expect(existsSync(join(modules, name, file))).toBe(true);
    }
  });

  test('is the same for a function that is bundled alone and with all others', () => {
    const alone = scratchDirectory();
    bundleAlone('redrive', alone);
    const [one, other] = [alone, folders.redrive ?? ''].map((folder) => readFileSync(join(folder, BUNDLE_FILE)));
    expect(one && other && one.equals(other)).toBe(true);
  });

  test('of the last queue has no engine in it', () => {
    expect(filesOf('engine-failed').filter((path) => path !== 'event.json')).toEqual([BUNDLE_FILE]);
    expect(readFileSync(join(folders['engine-failed'] ?? '', BUNDLE_FILE), 'utf8')).not.toContain('worker-entry');
  });
});
