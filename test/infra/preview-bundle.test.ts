/** The bundle of `preview`, started as it is deployed: a process of its own, its own environment, and S3 over HTTP. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUNDLE_FILE, bundleOtherLambda } from '#bundles';
import { noteDownload } from '../../lib/pipeline/review/block-list.ts';
import { PreviewAnswer, type PreviewRequest } from '../../lib/pipeline/review/preview-request.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { createRig, emailWith } from '../pipeline/rig.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { type FakeAws, startFakeAws } from './fake-aws.ts';

const folder = scratchDirectory();
const PDF = buildPdf({ text: 'Invoice', javascript: true });
const MAIL = emailWith({ text: 'Hello', files: [{ name: 'a.pdf', bytes: PDF }] });
const BUCKETS = ['intake', 'work', 'clean', 'quarantine'] as const;

let aws: FakeAws;
let runId: string;
let record: number;
let pdf: string;

beforeAll(async () => {
  bundleOtherLambda('preview', folder);
  aws = await startFakeAws();
  const rig = createRig({ script: { polls: 0, answer: () => ({ verdict: 'malicious' }) } });
  // The function takes the time from its own clock.
  rig.advance(Date.now() - rig.ctx.clock.now());
  ({ runId } = await rig.scan(MAIL));
  const ledger = await rig.ledger(runId);
  pdf = ledger.parts.find(({ untrustedNames }) => untrustedNames[0] === 'a.pdf')?.path ?? '';
  record = await noteDownload(rig.ctx, ledger, { name: 'pat', why: 'to look at it' });
  for (const bucket of BUCKETS)
    for (const key of rig.blobs.list(bucket))
      aws.objects.set(`a-${bucket}/${key}`, Buffer.from(await rig.blobs.get(bucket, key, { maxBytes: 10_000_000 })));
});
afterAll(() => aws.close());

/** Asks in turn, in one process that has nothing but what its template gives it. */
async function asked(...requests: PreviewRequest[]): Promise<PreviewAnswer[]> {
  const file = join(folder, 'requests.json');
  writeFileSync(file, JSON.stringify(requests));
  const script = `(async () => {
    const { handler } = require(${JSON.stringify(join(folder, BUNDLE_FILE))});
    const answers = [];
    for (const request of JSON.parse(require('node:fs').readFileSync(${JSON.stringify(file)}))) answers.push(await handler(request));
    console.log('ANSWER' + JSON.stringify(answers));
    process.exit();
  })()`;
  const env = {
    ...{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    AWS_ENDPOINT_URL_S3: aws.url,
    ...Object.fromEntries(BUCKETS.map((name) => [`AIRLOCK_${name.toUpperCase()}_BUCKET`, `a-${name}`])),
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env, cwd: folder, maxBuffer: 1e8 });
  return JSON.parse(/^ANSWER(.*)$/m.exec(stdout)?.[1] ?? '[]').map((answer: unknown) => PreviewAnswer.parse(answer));
}

test('it reads the header, draws a page of a PDF, and packs the original with a record', async () => {
  const drawn = { what: 'drawn', runId, path: pdf, side: 'before', page: 1 } as const;
  const [header, page, original, refused] = await asked(
    { what: 'header', runId },
    drawn,
    { what: 'original', runId, record },
    { what: 'original', runId, record: record + 1 },
  );
  expect(header).toMatchObject({ state: 'header', untrustedHeader: expect.stringContaining('MIME-Version: 1.0') });
  expect(page).toMatchObject({ state: 'drawn', outcome: 'drawn', pictures: 1 });
  const picture = page?.state === 'drawn' ? Buffer.from(page.picture ?? '', 'base64') : Buffer.alloc(0);
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'png' });
  expect(original).toMatchObject({ state: 'original', zip: expect.stringMatching(/^UEsDB/) });
  expect(refused).toEqual({ state: 'refused', code: 'no_record' });
});
