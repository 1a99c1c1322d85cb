import { describe, expect, test } from 'vitest';
import type { EngineReport } from '../../lib/engines/threads/task.ts';
import { OWN_VERSIONS } from '../../lib/engines/threads/versions.ts';
import { createEnginesAnalyzer } from '../../lib/jobs/engines-analyzer.ts';
import { failJob } from '../../lib/jobs/fail-job.ts';
import type { Job } from '../../lib/jobs/job.ts';
import { createLocalQueue } from '../../lib/jobs/local-queue.ts';
import { type JobContext, runJob } from '../../lib/jobs/run-job.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { type MemoryBlobs, memoryBlobs } from '../../lib/storage/memory.ts';
import { type AnalyzerRig, analysed, describeAnalyzer, requestOf, submitted } from '../pipeline/analyzer-contract.ts';
import { scriptedRunner } from '../service/scripted-service.ts';

interface Rig extends AnalyzerRig {
  readonly blobs: MemoryBlobs;
  readonly ctx: JobContext;
  /** Jobs that were sent, in order. */
  readonly sent: Job[];
  /** Does the jobs that were sent since the last time. */
  work(): Promise<void>;
}

const failed = (code: 'engine_failed'): EngineReport => ({
  outcome: 'failed',
  failure: { code, message: 'scripted' },
  engineVersion: 'scripted-1',
});

function rig(versions = OWN_VERSIONS): Rig {
  const blobs = memoryBlobs();
  const sent: Job[] = [];
  // The pool never rejects; the scripted engines do.
  const run: JobContext['run'] = (task, group) => scriptedRunner.run(task, group).catch(() => failed('engine_failed'));
  const ctx: JobContext = { blobs, run, versions, maxBytes: 1_000_000 };
  const queue = {
    send: async (job: Job) => {
      sent.push(JSON.parse(JSON.stringify(job)));
    },
  };
  let done = 0;
  return {
    blobs,
    ctx,
    sent,
    analyzer: createEnginesAnalyzer({ blobs, queue, versions }),
    store: (sha256, bytes) => blobs.put('work', keys.artifact(sha256), bytes),
    work: async () => {
      for (const job of sent.slice(done)) await runJob(ctx, job);
      done = sent.length;
    },
  };
}

function localRig(): AnalyzerRig {
  const { blobs, ctx, store } = rig();
  const queue = createLocalQueue(ctx);
  return { analyzer: createEnginesAnalyzer({ blobs, queue, versions: OWN_VERSIONS }), store };
}

const shared = localRig();
describeAnalyzer('the engines in this process', () => shared);

/** Sends the request, lets the engines work, and tells the id. */
async function answered(made: Rig, request: Parameters<typeof submitted>[1]): Promise<string> {
  const id = await submitted(made, request);
  await made.work();
  return id;
}

describe('a job', () => {
  test('names its artifact and carries none of its bytes', async () => {
    const made = rig();
    await submitted(made, requestOf('cdr', 'benign secret text', { password: 'pw' }));
    expect(made.sent).toMatchObject([
      {
        kind: 'cdr',
        artifact: sha256Hex('benign secret text'),
        filename: 'a.doc',
        password: 'pw',
        group: 'ab'.repeat(16),
      },
    ]);
    expect(JSON.stringify(made.sent)).not.toContain('secret text');
  });

  test('is sent without a look at its artifact, and its report is read once for the report and the file', async () => {
    const made = rig();
    const request = requestOf('cdr', 'benign');
    await submitted(made, request);
    await made.work();
    const read: string[] = [];
    const get: MemoryBlobs['get'] = (...args) => {
      read.push(args[1].replaceAll(/[0-9a-f]{64}/g, 'HASH'));
      return made.blobs.get(...args);
    };
    const blobs = { ...made.blobs, get };
    const analyzer = createEnginesAnalyzer({ blobs, queue: { send: async () => {} }, versions: OWN_VERSIONS });
    const id = await analyzer.submit(request);
    await analyzer.report('cdr', id);
    await analyzer.disarmedFile(id, 1_000);
    expect(read).toEqual(['reports/cdr/HASH.json', 'reports/cdr/HASH.json', 'reports/cdr/HASH/HASH']);
    await analyzer.submit(requestOf('static', 'never stored'));
    expect(read).toHaveLength(4);
  });

  test('writes below the prefix of its kind and nowhere else', async () => {
    const made = rig();
    const before = new Set<string>();
    for (const kind of ['static', 'sandbox', 'cdr', 'url_analysis'] as const) {
      await submitted(made, requestOf(kind, 'benign'));
      for (const key of made.blobs.list('work')) before.add(key);
      await made.work();
      const written = made.blobs.list('work').filter((key) => !before.has(key));
      expect(written.length).toBe(kind === 'cdr' ? 2 : 1);
      for (const key of written) expect(key.startsWith(`reports/${kind}/`)).toBe(true);
      for (const key of written) before.add(key);
    }
  });

  test('that is handed out twice, or at the same time, changes nothing', async () => {
    const made = rig();
    const id = await answered(made, requestOf('cdr', 'benign'));
    const before = made.blobs.list('work');
    const report = await made.analyzer.report('cdr', id);
    await Promise.all([1, 2].map(() => runJob(made.ctx, made.sent[0] as Job)));
    await failJob(made.blobs, made.sent[0] as Job);
    expect([made.blobs.list('work'), await made.analyzer.report('cdr', id)]).toEqual([before, report]);
  });

  test('whose two runs write different bytes has the file that its report names', async () => {
    const made = rig();
    const id = await submitted(made, requestOf('cdr', 'benign'));
    let run = 0;
    const moody: JobContext['run'] = async (task, group) => {
      const report = await made.ctx.run(task, group);
      run += 1;
      return 'bytes' in report ? { ...report, bytes: Buffer.from(`run ${run}`) } : report;
    };
    await Promise.all([1, 2].map(() => runJob({ ...made.ctx, run: moody }, made.sent[0] as Job)));
    expect(Buffer.from(await made.analyzer.disarmedFile(id, 100)).toString()).toMatch(/^run [12]$/);
  });

  test('that fails each time it is handed out ends as a failed engine, and later jobs are done', async () => {
    const { blobs, ctx, store } = rig();
    let reads = 0;
    const queue = createLocalQueue({
      ...ctx,
      blobs: {
        put: blobs.put,
        get: (bucket, key, options) => {
          if (!key.includes(sha256Hex('benign but deadly'))) return blobs.get(bucket, key, options);
          reads += 1;
          throw new TransientError('killed');
        },
      },
    });
    const made = { analyzer: createEnginesAnalyzer({ blobs, queue, versions: OWN_VERSIONS }), store };
    const { report } = await analysed(made, requestOf('static', 'benign but deadly'));
    expect([reads, report.verdict, report.failure?.class]).toEqual([3, 'unknown', 'service_error']);
    expect(report.failure?.detail).toContain('engine_failed');
    expect((await analysed(made, requestOf('static', 'benign'))).report.verdict).toBe('benign');
    await queue.idle();
  });

  test('too long for a queue is refused', async () => {
    const made = rig();
    const request = requestOf('static', 'benign', { password: 'x'.repeat(20_000) });
    await expect(made.analyzer.submit(request)).rejects.toMatchObject({ failureClass: 'unsupported' });
    expect(made.sent).toEqual([]);
  });
});

describe('a question', () => {
  test('is asked once: the next run has the answer without a job', async () => {
    const made = rig();
    const id = await answered(made, requestOf('static', 'benign'));
    expect(await made.analyzer.submit(requestOf('static', 'benign', { group: 'cd'.repeat(16) }))).toBe(id);
    expect(made.sent).toHaveLength(1);
  });

  test('of a job that was lost is asked again by whoever submits', async () => {
    const made = rig();
    const id = await submitted(made, requestOf('static', 'benign'));
    made.sent.pop();
    expect(await made.analyzer.find(requestOf('static', 'benign'))).toBeNull();
    expect(await made.analyzer.submit(requestOf('static', 'benign'))).toBe(id);
    expect(made.sent).toHaveLength(1);
  });

  test.each([
    ['another kind', requestOf('sandbox', 'benign')],
    ['another password', requestOf('static', 'benign', { password: 'pw' })],
    ['another name', { ...requestOf('static', 'benign'), filename: 'a.xls' }],
  ] as const)('is another one with %s', async (_, request) => {
    const made = rig();
    const id = await answered(made, requestOf('static', 'benign'));
    expect(await submitted(made, request as never)).not.toBe(id);
    expect(made.sent).toHaveLength(2);
  });

  test('is another one with other engines, and so is the scope', async () => {
    const made = rig();
    const id = await answered(made, requestOf('static', 'benign'));
    const versions = { ...OWN_VERSIONS, static: 'static-next' };
    const next = createEnginesAnalyzer({ blobs: made.blobs, queue: { send: async () => undefined }, versions });
    expect(await next.submit(requestOf('static', 'benign'))).not.toBe(id);
    expect(await next.scope('static')).not.toBe(await made.analyzer.scope('static'));
    expect(await next.scope('cdr')).toBe(await made.analyzer.scope('cdr'));
  });

  test('whose engine failed is asked again, by each run for itself and not without end', async () => {
    const made = rig();
    const ask = (group: string) => answered(made, requestOf('static', 'engine_failed', { group }));
    const ids = [];
    for (let time = 0; time < 8; time += 1) ids.push(await ask('aa'));
    expect([new Set(ids).size, made.sent.length]).toEqual([6, 6]);
    expect(ids.slice(0, 6)).not.toContain(await ask('bb'));
    expect(made.sent).toHaveLength(7);
  });

  test('that other engines answered during a deployment is asked again', async () => {
    const made = rig();
    const id = await submitted(made, requestOf('static', 'benign'));
    await runJob({ ...made.ctx, versions: { ...OWN_VERSIONS, static: 'static-old' } }, made.sent[0] as Job);
    expect((await made.analyzer.report('static', id)).verdict).toBe('benign');
    expect(await made.analyzer.submit(requestOf('static', 'benign', { group: 'bb' }))).not.toBe(id);
  });

  test('whose disarmed file is gone is asked again', async () => {
    const made = rig();
    const id = await answered(made, requestOf('cdr', 'benign'));
    const has = (bucket: 'work', key: string) => (key.endsWith('.json') ? made.blobs.has(bucket, key) : false);
    const queue = { send: async () => undefined };
    const blobs = { get: made.blobs.get, has: async (_: unknown, key: string) => has('work', key) };
    const later = createEnginesAnalyzer({ blobs, queue, versions: OWN_VERSIONS });
    expect(await later.submit(requestOf('cdr', 'benign'))).not.toBe(id);
  });
});

describe('an engine that lies', () => {
  const put = (made: Rig, kind: 'static' | 'cdr', id: string, value: unknown) =>
    made.blobs.put('work', keys.engineReport(kind, id), Buffer.from(JSON.stringify(value)));
  const REPORT = { verdict: 'benign', score: 0, reasons: [], failure: null, removed: [], sanitized: [], readAs: null };
  const stored = (report: object, file: object | null = null) => ({
    schema: 1,
    versions: OWN_VERSIONS.static,
    report: { ...REPORT, ...report },
    file,
  });

  test.each([
    ['a word that is no verdict', 'static', stored({ verdict: 'harmless' })],
    ['benign, and a failure', 'static', stored({ failure: { class: 'timeout', detail: '' } })],
    ['a thousand reasons', 'static', stored({ reasons: Array(1_000).fill('x') })],
    ['a reason of megabytes', 'static', stored({ reasons: ['x'.repeat(100_000)] })],
    ['a file that no disarm wrote', 'static', stored({}, { sha256: 'a'.repeat(64) })],
    ['a disarm without file and failure', 'cdr', stored({ verdict: 'unknown' })],
    ['no JSON', 'static', 'a text'],
    ['too many bytes', 'static', stored({ reasons: ['x'.repeat(2_000_000)] })],
  ] as const)('with %s gives no report', async (_, kind, value) => {
    const made = rig();
    const id = await submitted(made, requestOf(kind, 'benign'));
    await put(made, kind, id, value);
    expect(await made.analyzer.progress(kind, id)).toEqual({ state: 'finished' });
    await expect(made.analyzer.report(kind, id)).rejects.toMatchObject({ code: 'ANALYZER_REFUSAL' });
    expect(await made.analyzer.submit(requestOf(kind, 'benign'))).not.toBe(id);
  });

  test('a store that lies about an artifact gets no report under its hash', async () => {
    const made = rig();
    const request = requestOf('static', 'benign');
    await submitted(made, request);
    await made.store(request.id.slice('file:'.length), Buffer.from('something else'));
    await expect(made.work()).rejects.toThrow('have changed');
  });

  test('about the file that it wrote has none', async () => {
    const made = rig();
    const id = await answered(made, requestOf('cdr', 'benign'));
    const sha256 = sha256Hex('disarmed benign');
    await made.blobs.put('work', keys.engineFile('cdr', id, sha256), Buffer.from('something else'));
    await expect(made.analyzer.disarmedFile(id, 100)).rejects.toMatchObject({ failureClass: 'service_error' });
  });
});
