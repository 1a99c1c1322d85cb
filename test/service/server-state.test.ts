import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extensionOf, sanitizedFilename, shownName } from '../../lib/service/server/filename.ts';
import { createJobQueue } from '../../lib/service/server/jobs/queue.ts';
import { ServiceLimits } from '../../lib/service/server/limits.ts';
import { worstLevel } from '../../lib/service/server/store/submission-facts.ts';
import { scheduledReport, withReport } from '../../lib/service/server/store/submissions.ts';
import { storedSubmission } from './stored-submission.ts';

test('a status only moves forward with any changes, and an end is final', () => {
  const order = { accepted: 0, in_progress: 1, completed: 2, error: 2 };
  const statuses = fc.array(fc.constantFrom('accepted', 'in_progress', 'completed', 'error'));
  fc.assert(
    fc.property(statuses, (moves) => {
      let current = storedSubmission({});
      for (const status of moves) {
        const before = current.reports[0]?.status ?? 'accepted';
        current = withReport(current, { ...scheduledReport('static'), status }, 1);
        const after = current.reports[0]?.status ?? 'accepted';
        expect(order[after] > order[before] || after === before).toBe(true);
      }
    }),
    { seed: 7 },
  );
});

test('a report that was never scheduled cannot appear', () => {
  expect(withReport(storedSubmission({}), { ...scheduledReport('cdr'), status: 'completed' }, 1).reports).toHaveLength(
    1,
  );
});

test('unknown is worse than benign, and nothing completed is unknown', () => {
  expect(worstLevel(['benign', 'unknown'])).toBe('unknown');
  expect(worstLevel(['malicious', 'unknown', 'suspicious'])).toBe('malicious');
  expect(worstLevel([])).toBe('unknown');
});

describe('the job queue', () => {
  const limits = { concurrentJobs: 2, queuedJobs: 3 };

  test('never runs more jobs than it may, and runs all of them', async () => {
    const queue = createJobQueue({ ...limits, queuedJobs: 20 });
    let running = 0;
    let peak = 0;
    let done = 0;
    for (let n = 0; n < 10; n += 1) {
      queue.reserve().start(async () => {
        running += 1;
        peak = Math.max(peak, running);
        await Promise.resolve();
        running -= 1;
        done += 1;
      });
    }
    await queue.idle();
    expect([peak, done, queue.pending]).toEqual([2, 10, 0]);
  });

  test('refuses what has no place, and gives places back once', () => {
    const queue = createJobQueue(limits);
    const slots = [queue.reserve(), queue.reserve(), queue.reserve()];
    expect(() => queue.reserve()).toThrow(expect.objectContaining({ code: 'SUBMISSION_LIMIT_EXCEEDED' }));
    slots[0]?.release();
    slots[0]?.release();
    expect(queue.pending).toBe(2);
    for (const slot of slots) slot.release();
    expect(queue.pending).toBe(0);
  });

  test('takes jobs that were accepted before a restart beyond its bound', async () => {
    const queue = createJobQueue({ concurrentJobs: 1, queuedJobs: 1 });
    const done: number[] = [];
    for (const n of [1, 2, 3]) queue.resume(async () => void done.push(n));
    await queue.idle();
    expect(done).toEqual([1, 2, 3]);
  });

  test('lets groups take turns, and none have more than half of the places', async () => {
    const queue = createJobQueue({ concurrentJobs: 4, queuedJobs: 100 });
    const started: string[] = [];
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const job = async (group: string) => {
      started.push(group);
      await blocked;
    };
    for (let count = 0; count < 20; count++) queue.reserve('many').start(job);
    expect(started).toEqual(['many', 'many']);
    queue.reserve('few').start(job);
    queue.reserve().start(job);
    expect(started.slice(2)).toEqual(['few', expect.stringMatching(/^alone /)]);
    release();
    await queue.idle();
    expect(started).toHaveLength(22);
  });

  test('closed, it drops what waits, lets what runs end, and refuses the rest', async () => {
    const queue = createJobQueue({ ...limits, concurrentJobs: 1 });
    const ended: string[] = [];
    let end: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => {
      end = resolve;
    });
    queue.reserve().start(() => wait.then(() => void ended.push('running')));
    queue.reserve().start(async () => void ended.push('waiting'));
    const closed = queue.close();
    end();
    await closed;
    expect(ended).toEqual(['running']);
    expect(() => queue.reserve()).toThrow(expect.objectContaining({ code: 'SUBMISSION_LIMIT_EXCEEDED' }));
  });
});

describe('names that senders choose', () => {
  test.each([
    ['../../etc/passwd', 'passwd', 'passwd_sanitized.pdf'],
    ['C:\\temp\\a b.docm', 'a b.docm', 'a_b_sanitized.pdf'],
    ['inv\u202ecod.exe', 'invcod.exe', 'invcod_sanitized.pdf'],
    ['a"; filename=b.exe', 'a"; filename=b.exe', 'a_filename_b_sanitized.pdf'],
    ['r\u00e9sum\u00e9.doc', 'r\u00e9sum\u00e9.doc', 're_sume_sanitized.pdf'],
    ['\u6587\u4ef6.doc', '\u6587\u4ef6.doc', 'file_sanitized.pdf'],
    ['', 'file', 'file_sanitized.pdf'],
    ['..', '..', 'file_sanitized.pdf'],
  ])('%j', (name, inJson, inHeader) => {
    expect(shownName(name)).toBe(inJson);
    expect(sanitizedFilename(name, 'pdf')).toBe(inHeader);
  });

  test('become ASCII of a limited length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), fc.string(), (name, extension) => {
        expect(sanitizedFilename(name, extension)).toMatch(/^[A-Za-z0-9_-]{1,80}_sanitized\.[a-z0-9]{1,8}$/);
        expect(shownName(name)).not.toMatch(/[\p{Cc}\p{Cf}/\\]/u);
      }),
      { seed: 7 },
    );
    expect(extensionOf('a.DOCX')).toBe('docx');
    expect(extensionOf('a.b/c')).toBe('');
  });
});

test.each([0, -1, Number.NaN, 1.5, 'ten'])(
  'a limit of %s is refused instead of switching the guard off',
  (uploadBytes) => {
    expect(ServiceLimits.safeParse({ uploadBytes }).success).toBe(false);
  },
);
