import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { SQSBatchResponse } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disarmFile } from '../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { createUnpacker } from '../../lib/formats/archives/unpacker.ts';
import { createCodeReader } from '../../lib/formats/codes/reader.ts';
import type { Looked, LookRequest } from '../../lib/formats/returned-file.ts';
import { hostWorker } from '../../lib/formats/threads/worker-host.ts';
import { BUNDLE_FILE, bundleStage } from '../../lib/infra/bundling/bundle.ts';
import { CODE_FILES } from '../../lib/infra/bundling/engines.ts';
import { SECOND_LOOK_FILES } from '../../lib/infra/bundling/second-look-worker.ts';
import { SIGNATURE_FILES } from '../../lib/infra/bundling/signature-worker.ts';
import { UNPACK_FILES } from '../../lib/infra/bundling/unpack-worker.ts';
import { keys, runIdOf, sha256Hex } from '../../lib/pipeline/keys.ts';
import { hashOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import { filesById } from '../../lib/pipeline/ledger/artifacts-of.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { DEPLOYED_WRITERS } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { createS3Blobs } from '../../lib/storage/s3/s3.ts';
import { createSigner } from '../../lib/storage/signer.ts';
import { qrPng } from '../fixtures/build-codes.ts';
import { buildPng } from '../fixtures/build-image.ts';
import { buildDocx, buildZip, withDescriptors } from '../fixtures/build-office.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { packedPdf, packedStream, plainPdf } from '../fixtures/pdf-file.ts';
import { packed } from '../formats/archives/archives.ts';
import { objectCreated, sqsRecord, theRun } from '../lambdas/aws-events.ts';
import { foldedLedger } from '../pipeline/folded.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { fakeS3 } from '../storage/fake-s3.ts';
import { type FakeAws, startFakeAws } from './fake-aws.ts';
import { resourcesOf, synthesize, theResource } from './synth.ts';

const { template, assembly } = synthesize({ withBundles: true });
const MAX_BYTES = 1_300_000;
const MACHINE = 'arn:aws:states:eu-central-1:123456789012:stateMachine:airlock';

function assetOf(part: string): string {
  const [, { Properties }] = theResource(template, 'AWS::Lambda::Function', part);
  return join(assembly.directory, `asset.${(Properties.Code as { S3Key: string }).S3Key.replace('.zip', '')}`);
}

/** What a bundle loads later: parts of it in files of their own. */
const PART = /^[a-z-]+-[0-9A-Z]{8}\.cjs$/;
const partsOf = (asset: string) => readdirSync(asset).filter((name) => PART.test(name));

test('each function has its own bundle, and only parse and rebuild have files beside it, for their threads', () => {
  const assets = resourcesOf(template, 'AWS::Lambda::Function').map(([id]) => assetOf(id));
  expect(new Set(assets).size).toBe(DEPLOYED_WRITERS.length);
  const beside = new Map([
    [assetOf('ParseFunction'), [...new Set([...UNPACK_FILES, ...SIGNATURE_FILES, ...CODE_FILES])]],
    [assetOf('RebuildFunction'), SECOND_LOOK_FILES],
  ]);
  for (const asset of assets)
    expect(readdirSync(asset).sort()).toEqual([BUNDLE_FILE, ...(beside.get(asset) ?? []), ...partsOf(asset)].sort());
});

test.each(['SubmitFunction', 'PollFunction', 'FetchFunction'])(
  '%s loads the client of an outside service, and that of the queues, only when it needs them',
  async (name) => {
    const asset = assetOf(name);
    const script = `require(${JSON.stringify(join(asset, BUNDLE_FILE))});
      console.log('LOADED' + JSON.stringify(Object.keys(require.cache)));`;
    const env = { AWS_REGION: 'eu-central-1' };
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
    const loaded: string[] = JSON.parse(/^LOADED(.*)$/m.exec(stdout)?.[1] ?? '[]');
    const has = (names: readonly string[], part: string) => names.some((file) => basename(file).startsWith(part));
    expect(has(loaded, BUNDLE_FILE)).toBe(true);
    for (const part of ['service-analyzer-', 'undici-', 'engine-queue-'])
      expect([has(loaded, part), has(partsOf(asset), part)]).toEqual([false, true]);
  },
);

test('a bundle has the description of an operation of the SDK that it uses, and of no other', () => {
  const code = readFileSync(join(assetOf('DecideFunction'), BUNDLE_FILE), 'utf8');
  const described = ['GetObjectRequest', 'PutObjectRequest', 'SelectObjectContentRequest', 'CreateBucketRequest'];
  expect(described.map((name) => code.includes(`"${name}"`))).toEqual([true, true, false, false]);
});

test('each bundle loads and has the handler that Lambda calls', async () => {
  const files = resourcesOf(template, 'AWS::Lambda::Function').map(([id]) => join(assetOf(id), BUNDLE_FILE));
  const script = `console.log(${JSON.stringify(files)}.map((file) => typeof require(file).handler).join())`;
  const env = { AWS_REGION: 'eu-central-1' };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
  expect(stdout.trim()).toBe(DEPLOYED_WRITERS.map(() => 'function').join());
});

test('what the stages that ask a service load later is there under its names', async () => {
  const parts = ['SubmitFunction', 'PollFunction', 'FetchFunction'].map((stage) => {
    const asset = assetOf(stage);
    return join(asset, partsOf(asset).find((name) => name.startsWith('undici-')) ?? 'missing');
  });
  const script = `console.log(${JSON.stringify(parts)}.map((file) => [typeof require(file).request, typeof require(file).Agent]).join())`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  expect(stdout.trim()).toBe(parts.map(() => 'function,function').join());
});

test('the parse bundle is small enough to start quickly', () => {
  expect(statSync(join(assetOf('ParseFunction'), BUNDLE_FILE)).size).toBeLessThan(MAX_BYTES);
});

/** Objects of a document of one page. */
const PAGE = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  packedStream('BT /F1 12 Tf 72 700 Td (The offer holds until the end of May.) Tj ET'),
];
const docx = await buildDocx();
const foreignDocx = await withDescriptors(docx);
const zip = await buildZip([
  ['one.txt', 'one'],
  ['two.txt', 'two'],
]);
const foreignZip = await withDescriptors(zip);

describe('the bundled rebuild looks at what a service returned', () => {
  // In its bundle the worker finds nothing of the checkout: what it loads is beside it.
  const copy = scratchDirectory();
  cpSync(assetOf('RebuildFunction'), copy, { recursive: true });
  const file = pathToFileURL(join(copy, 'second-look-worker.cjs'));
  const onSilence = (): Looked => ({ outcome: 'not started' });
  const host = hostWorker<LookRequest, Looked>({ file, startMs: 10_000, onSilence });
  afterAll(() => host.close());
  const look = (bytes: Uint8Array, returned: Uint8Array, extension: string) =>
    host.ask({ bytes, returned, extension, hasRemovals: false, mayRewrite: true, workMs: 20_000 }, 20_000);

  test.each([
    ['documents', 'pdf', buildPdf({ javascript: true })],
    ['pictures', 'png', buildPng()],
  ])('%s, with the WebAssembly beside it', async (_, extension, bytes) => {
    const input = { bytes, untrustedName: `a.${extension}`, password: null };
    const report = await disarmFile(input, DEFAULT_ENGINE_LIMITS);
    if (report.outcome === 'failed') return expect.fail(report.failure.message);
    expect(await look(bytes, report.bytes, extension)).toEqual({ outcome: 'passed' });
    const half = report.bytes.subarray(0, report.bytes.length / 2);
    expect(await look(bytes, new Uint8Array(half), extension)).toMatchObject({ outcome: 'refused' });
  });

  test.each<[string, string, Uint8Array, Uint8Array]>([
    ['a document with compressed objects', 'pdf', plainPdf(PAGE), packedPdf(PAGE)],
    ['an Office document of another writer', 'docx', docx, foreignDocx],
    ['a zip of another writer', 'zip', zip, foreignZip],
  ])('%s, and disarms it where it is', async (_, extension, bytes, returned) => {
    const looked = await look(bytes, returned, extension);
    expect(looked).toEqual({ outcome: 'passed', rewritten: expect.any(Uint8Array) });
    const rewritten = 'rewritten' in looked ? looked.rewritten : undefined;
    // The engine of the checkout, which found the same way of writing it, finds nothing more to do.
    const again = await disarmFile(
      { bytes: rewritten ?? bytes, untrustedName: `a.${extension}`, password: null },
      DEFAULT_ENGINE_LIMITS,
    );
    expect(again.outcome).toBe('already_safe');
  });
});

test.each([
  ['parse', 'ParseFunction'],
  ['rebuild', 'RebuildFunction'],
] as const)('the same sources of %s give the same bytes, alone and with other stages', (stage, part) => {
  const again = scratchDirectory();
  bundleStage(stage, again);
  const [first, second] = [assetOf(part), again].map((dir) => readFileSync(join(dir, BUNDLE_FILE)));
  expect(first && second && first.equals(second)).toBe(true);
});

test('a module of which a function uses nothing is not in its bundle', () => {
  const textOf = (part: string) => {
    const asset = assetOf(part);
    const loaded = readdirSync(asset).filter((name) => name === BUNDLE_FILE || name.startsWith('chunk-'));
    return loaded.map((name) => readFileSync(join(asset, name), 'utf8')).join('');
  };
  for (const part of ['SubmitFunction', 'PollFunction', 'FetchFunction']) {
    // The schema of the event about the end of a run, and the events of Step Functions.
    expect([part, textOf(part).includes('Why it is held, each code once')]).toEqual([part, false]);
    expect([part, textOf(part).includes('Step Functions Execution Status Change')]).toEqual([part, false]);
  }
  expect(textOf('QuarantineFunction')).toContain('Step Functions Execution Status Change');
});

test('the policy of a deployment is in the bundle', () => {
  const directory = scratchDirectory();
  bundleStage('decide', directory, { policyJson: '{"failures":{"timeout":"remove"}}' });
  expect(readFileSync(join(directory, BUNDLE_FILE), 'utf8')).toContain('{"failures":{"timeout":"remove"}}');
});

/** A mail with three charsets, an attachment and two archives. It cannot be read when the bundle lacks a module or a file. */
function email(code: Buffer, archives: readonly Buffer[]): Buffer {
  const part = (headers: string[], body: Buffer) =>
    Buffer.concat([Buffer.from([...headers, '', ''].join('\r\n')), body]);
  const parts = [
    part(
      ['Content-Type: text/plain; charset=iso-2022-jp'],
      Buffer.from('\x1b$B$3$s\x1b(B https://example.com/a', 'latin1'),
    ),
    part(['Content-Type: text/plain; charset=windows-1251'], Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])),
    part(
      ['Content-Type: text/html; charset=utf-8'],
      Buffer.from('<p>Grüße <a href="https://example.org/b">hier</a></p>'),
    ),
    part(
      ['Content-Type: application/pdf; name="=?koi8-r?B?xsHKzA==?="', 'Content-Transfer-Encoding: base64'],
      Buffer.from(Buffer.from('%PDF-1.4 not really').toString('base64')),
    ),
    part(
      ['Content-Type: image/png; name="code.png"', 'Content-Transfer-Encoding: base64'],
      Buffer.from(code.toString('base64').replace(/.{76}/g, '$&\r\n')),
    ),
    ...archives.map((archive) =>
      part(
        ['Content-Type: application/octet-stream', 'Content-Transfer-Encoding: base64'],
        Buffer.from(archive.toString('base64').replace(/.{76}/g, '$&\r\n')),
      ),
    ),
  ];
  const head = ['From: =?big5?B?pKSk5Q==?= <a@example.com>', 'To: b@example.com', 'Subject: =?shift_jis?B?g2WDWINn?='];
  const mime = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="edge"', '', ''];
  const edge = Buffer.from('\r\n--edge\r\n');
  return Buffer.concat([
    Buffer.from([...head, ...mime].join('\r\n')),
    ...parts.flatMap((each) => [edge, each]),
    Buffer.from('\r\n--edge--\r\n'),
  ]);
}

describe('the bundled parse lambda, started as it is deployed', () => {
  const key = 'inbox/ünï code+%41.eml';
  const runId = runIdOf({ bucket: 'an-intake', untrustedKey: key, versionId: 'v1' });
  let aws: FakeAws;
  let answer: SQSBatchResponse;
  let body: Buffer;

  beforeAll(async () => {
    aws = await startFakeAws();
    const code = await qrPng('https://code.example/pay');
    body = email(code, [await packed('zip', { 'in-zip.txt': 'zip' }), await packed('7z', { 'in-7z.txt': '7z' })]);
    aws.objects.set(`an-intake/${key}`, body);
    answer = await invoke({ Records: [sqsRecord('a', objectCreated(key)), sqsRecord('b', { odd: true })] });
  });
  afterAll(() => aws.close());

  async function invoke(event: object): Promise<SQSBatchResponse> {
    const file = join(assetOf('ParseFunction'), BUNDLE_FILE);
    const script = `require(${JSON.stringify(file)}).handler(${JSON.stringify(event)}).then((answer) => console.log('ANSWER' + JSON.stringify(answer)))`;
    const env = {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_S3: aws.url,
      AWS_ENDPOINT_URL_SFN: aws.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url,
      AIRLOCK_SIGNING_SECRET: 'the-signing-secret',
      AIRLOCK_INTAKE_BUCKET: 'an-intake',
      AIRLOCK_WORK_BUCKET: 'a-work',
      AIRLOCK_STATE_MACHINE_ARN: MACHINE,
    };
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
    return JSON.parse(/^ANSWER(.*)$/m.exec(stdout)?.[1] ?? 'null');
  }

  test('returns to the queue only the record that was not an event', () => {
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'b' }] });
  });

  test('starts the execution that is named after the run', () => {
    expect(aws.executions).toEqual([
      { name: `${runId}-1`, stateMachineArn: MACHINE, input: JSON.stringify(theRun(runId)) },
    ]);
  });

  test('stores the bytes of every artifact under their hash', () => {
    const ledger = foldedLedger(aws.objects.get(`a-work/${keys.entry(runId, 1, 'parse')}`));
    const hashes = [...filesById(ledger).keys()].map(hashOf);
    expect(hashes).toHaveLength(9);
    for (const hash of hashes) expect(sha256Hex(aws.objects.get(`a-work/${keys.artifact(hash)}`) ?? '')).toBe(hash);
  });

  test('opens archives with the thread and the WebAssembly beside it', () => {
    const ledger = foldedLedger(aws.objects.get(`a-work/${keys.entry(runId, 1, 'parse')}`));
    const members = ledger.parts.filter(({ role }) => role === 'member');
    expect(members.map(({ path, untrustedNames }) => [path, ...untrustedNames])).toEqual([
      ['1.6!1', 'in-zip.txt'],
      ['1.7!1', 'in-7z.txt'],
    ]);
  });

  test('reads the code in a picture with the thread and the WebAssembly beside it', () => {
    const ledger = foldedLedger(aws.objects.get(`a-work/${keys.entry(runId, 1, 'parse')}`));
    const urls = ledger.artifacts.flatMap((artifact) => (artifact.type === 'url' ? [artifact.untrustedUrl] : []));
    expect(urls).toContain('https://code.example/pay');
    expect(ledger.warnings.filter(({ path }) => path === '1.5')).toEqual([]);
  });

  test('reads the email exactly as the unbundled sources do, names and charsets too', async () => {
    const s3 = fakeS3();
    const [unpacker, codes] = [createUnpacker(), createCodeReader()];
    s3.objects.set(`an-intake/${key}`, [{ versionId: 'v1', body, contentType: undefined, tagging: undefined }]);
    const blobs = createS3Blobs({ client: s3.client, buckets: { intake: 'an-intake', work: 'a-work' } });
    const context = {
      blobs,
      signer: createSigner({ blobs, secretOf: async () => 'secret' }),
      limits: DEFAULT_LIMITS,
      clock: Date,
      work: { workMs: () => 0 },
      executions: { start: async () => {} },
      log: SILENT,
      unpacker,
      codes,
    };
    const size = body.length;
    const etag = 'b1946ac92492d2347c6235b4d2611184';
    await parse(context as never, { bucket: 'an-intake', untrustedKey: key, versionId: 'v1', size, etag });
    const ledgers = [
      s3.objects.get(`a-work/${keys.entry(runId, 1, 'parse')}`)?.[0]?.body,
      aws.objects.get(`a-work/${keys.entry(runId, 1, 'parse')}`),
    ];
    const [expected, actual] = ledgers.map((stored) => timeless(foldedLedger(stored)));
    expect(actual).toEqual(expected);
    expect(actual?.message?.untrustedSubject).toBe('テスト');
    expect(actual?.urls).toHaveLength(3);
  });
});

const SILENT = { info: () => {}, warn: () => {} };

function timeless(ledger: Ledger) {
  const { bornAt: _, deadlineAt: __, stages: ___, attempt: ____, intake, ...rest } = ledger;
  return { ...rest, intake: { ...intake, size: null } };
}
