/** Whole mails whose analyses are jobs, with the real engines. */
import { afterAll, expect, test } from 'vitest';
import { createEnginePool } from '../../lib/engines/threads/pool.ts';
import { OWN_VERSIONS } from '../../lib/engines/threads/versions.ts';
import { createEnginesAnalyzer } from '../../lib/jobs/engines-analyzer.ts';
import { failJob } from '../../lib/jobs/fail-job.ts';
import type { Job } from '../../lib/jobs/job.ts';
import { runJob } from '../../lib/jobs/run-job.ts';
import { buildDocm } from '../fixtures/build-office.ts';
import { createRig, emailWith, type Rig } from '../pipeline/rig.ts';

const pool = createEnginePool({ threads: 1 });
afterAll(() => pool.close());

const HOUR_MS = 3_600_000;
const MAX_BYTES = 1_000_000;
const document = await buildDocm();
const mail = (subject: string) =>
  emailWith({
    subject,
    text: 'See https://www.sender.example/terms',
    files: [{ name: 'invoice.docm', bytes: document }],
  });

/** A rig whose jobs are done as they are sent, unless `lose` says otherwise. */
function rigWith(lose: (job: Job, rig: Rig) => Promise<boolean>): { rig: Rig; sent: Job[] } {
  const sent: Job[] = [];
  const rig: Rig = createRig({
    waitsForService: true,
    overrides: ({ blobs }) => {
      const ctx = { blobs, run: pool.run, versions: OWN_VERSIONS, maxBytes: MAX_BYTES };
      const send = async (job: Job) => {
        sent.push(job);
        if (!(await lose(job, rig))) await runJob(ctx, job);
      };
      const analyzer = createEnginesAnalyzer({ blobs, queue: { send }, versions: OWN_VERSIONS });
      const progress: typeof analyzer.progress = async (kind, id) => {
        rig.advance(60_000);
        return await analyzer.progress(kind, id);
      };
      return { analyzer: { ...analyzer, progress } };
    },
  });
  return { rig, sent };
}

test('a mail is disarmed and delivered, and the next one with the same file needs no job for it', async () => {
  const { rig, sent } = rigWith(async () => false);
  const { ledger, clean } = await rig.scan(mail('first'), 'first.eml');
  expect(ledger.terminal?.state).toBe('delivered');
  expect(clean).toContain('invoice.docx');
  const ofFile = sent.filter((job) => job.kind !== 'url_analysis').length;
  expect(ofFile).toBeGreaterThan(1);
  const count = sent.length;
  expect((await rig.scan(mail('second'), 'second.eml')).ledger.terminal?.state).toBe('delivered');
  expect(sent).toHaveLength(count);
});

test('a file that kills its engine each time holds its own mail with the class of the failure, and no other', async () => {
  const { rig } = rigWith(async (job, { blobs }) => {
    if (job.kind !== 'static' || !job.filename.endsWith('.docm')) return false;
    await failJob(blobs, job);
    return true;
  });
  const { ledger } = await rig.scan(mail('deadly'), 'deadly.eml');
  expect(ledger.terminal?.state).toBe('quarantined');
  expect(ledger.reasons.map(({ code }) => code)).toContain('service_error');
  const other = emailWith({ text: 'Nothing but words.' });
  expect((await rig.scan(other, 'other.eml')).ledger.terminal?.state).toBe('delivered');
});

test('a queue that was emptied: the mail ends as a timeout at its deadline, and the file is analysed again after an hour', async () => {
  let isLost = true;
  const { rig } = rigWith(async () => isLost);
  const { ledger } = await rig.scan(mail('lost'), 'lost.eml');
  expect(ledger.terminal?.state).toBe('quarantined');
  expect(new Set(ledger.reasons.map(({ code }) => code))).toEqual(new Set(['timeout']));
  isLost = false;
  rig.advance(HOUR_MS);
  expect((await rig.scan(mail('again'), 'again.eml')).ledger.terminal?.state).toBe('delivered');
});
