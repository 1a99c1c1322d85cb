import { describe, expect, test } from 'vitest';
import type { EngineReport } from '../../lib/engines/threads/task.ts';
import { Submission } from '../../lib/service/contract/v3-submission.ts';
import { fileForm, finished, scriptedRunner, shown, submitted, testService, WORD_TYPE } from './scripted-service.ts';

describe('a submission', () => {
  test('lists its scheduled reports, all accepted, in the very first answer', async () => {
    const service = testService({ runner: { run: () => new Promise(() => undefined) }, limits: { concurrentJobs: 1 } });
    await submitted(service, 'static', 'silent and in front');
    const uuid = await submitted(service, 'sandbox', 'benign');
    const submission = await shown(service, uuid);
    expect(submission.reports.map(({ type, status }) => [type, status])).toEqual([
      ['dynamic', 'accepted'],
      ['static', 'accepted'],
    ]);
    expect(submission.overview?.status).toBe('accepted');
    expect(submission.level).toBe('unknown');
  });

  test('is in progress while its engine works and completed after', async () => {
    let answer: (report: EngineReport) => void = () => undefined;
    const service = testService({
      runner: {
        run: () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      },
    });
    const uuid = await submitted(service, 'static', 'benign');
    expect((await shown(service, uuid)).reports[0]?.status).toBe('in_progress');
    answer(
      await scriptedRunner.run({
        engine: 'static',
        input: { bytes: new Uint8Array(), untrustedName: '', password: null },
      }),
    );
    expect((await finished(service, uuid)).reports[0]?.status).toBe('completed');
  });

  test('for the sandbox runs static analysis and says that no environment can run the file', async () => {
    const service = testService();
    const submission = await finished(service, await submitted(service, 'sandbox', 'malicious'));
    const reason = { code: 'no_environment', message: 'no environment can run this' };
    expect(submission.skippedReports).toEqual([{ type: 'dynamic', reason }]);
    expect(submission.reports).toMatchObject([
      { type: 'static', status: 'completed', level: 'malicious', score: 60, error: null },
    ]);
    expect(submission.level).toBe('malicious');
    expect(submission.overview).toMatchObject({
      status: 'completed',
      jobs: { total: 2, succeeded: 1, failed: 0, skipped: 1, finished: 2 },
    });
  });

  test('explains a finding and counts it', async () => {
    const service = testService();
    const submission = await finished(service, await submitted(service, 'static', 'suspicious'));
    expect(submission.reports[0]?.findings).toEqual([
      {
        id: 'office-macro',
        name: 'Office macro',
        description: 'The document carries a macro (word/vbaProject.bin)',
        level: 'suspicious',
        score: 60,
      },
    ]);
    expect(submission.indicators?.levels).toEqual({ malicious: 0, suspicious: 1, benign: 0 });
  });

  test('shows the type read from the bytes once the static engine has read it', async () => {
    const service = testService();
    const uuid = await submitted(service, 'static', 'benign');
    const { file } = await finished(service, uuid);
    expect(file).toMatchObject({
      name: 'invoice.doc',
      extension: 'docx',
      mimetype: WORD_TYPE.type,
      isMimetypeChecked: true,
    });
  });

  test.each([
    ['encrypted', 'encrypted', 'scripted encrypted'],
    ['unreadable', 'unreadable', 'scripted unreadable'],
    ['crash', 'engine_failed', 'the engine failed'],
    ['silent', 'timeout', 'no engine answered within 5 ms'],
  ])('whose engine answers "%s" ends in error %s', async (script, code, message) => {
    const service = testService({ limits: { jobTimeoutMs: 5 } });
    const submission = await finished(service, await submitted(service, 'static', script));
    expect(submission.reports[0]).toMatchObject({ status: 'error', level: null, error: { code, message } });
    expect(submission.overview?.status).toBe('error');
    expect(submission.level).toBe('unknown');
  });

  test('whose engine answers with the report of another engine ends in error, never benign', async () => {
    const service = testService();
    for (const route of ['static', 'cdr']) {
      const submission = await finished(service, await submitted(service, route, 'confused'));
      expect(submission.reports[0]).toMatchObject({ status: 'error', error: { code: 'engine_failed' } });
    }
  });

  test('that asks for one entry of an archive is not answered with a report on the whole archive', async () => {
    const service = testService();
    const uuid = await submitted(service, 'static', 'benign', { entrypoint: 'a.exe' });
    const submission = await finished(service, uuid);
    expect(submission.reports[0]).toMatchObject({ status: 'error', error: { code: 'unsupported' } });
    expect(submission.file?.entrypoint).toEqual({ filename: 'a.exe' });
  });

  test('passes the password to the engine and shows it nowhere', async () => {
    const passwords: (string | null)[] = [];
    const service = testService({
      runner: {
        run: (task) => {
          if (task.engine !== 'url') passwords.push(task.input.password);
          return scriptedRunner.run(task);
        },
      },
    });
    const uuid = await submitted(service, 'cdr', 'benign', { password: 'hunter2' });
    expect(JSON.stringify(await finished(service, uuid))).not.toContain('hunter2');
    expect(JSON.stringify(service.log)).not.toContain('hunter2');
    expect(passwords).toEqual(['hunter2']);
  });

  test('follows the contract and sends null for what is unset', async () => {
    const service = testService();
    const raw = await finished(service, await submitted(service, 'sandbox', 'suspicious', { private: 'TRUE' }));
    expect(Submission.parse(raw)).toEqual(raw);
    expect(raw).toMatchObject({ url: null, family: null, private: true, score: 60 });
  });
});

describe('a URL submission', () => {
  test.each(['url', 'url_analysis'])(
    'made at /submissions/%s has the sha256 of its text and a url_analysis report',
    async (path) => {
      const service = testService();
      const body = JSON.stringify({ url: 'https://example.test/malicious' });
      const created = await service.call(`/submissions/${path}`, { method: 'POST', body });
      const { uuid, sha256 } = (await created.json()) as { uuid: string; sha256: string | null };
      expect(sha256).toBe('08243990339f6e103d952c94aca13f56b0e7bc9bc9470b9a93b1a773956920df');
      const submission = await finished(service, uuid);
      expect(submission).toMatchObject({
        type: 'url',
        url: 'https://example.test/malicious',
        hashes: null,
        file: null,
      });
      expect(submission.reports[0]).toMatchObject({ type: 'url_analysis', status: 'completed', level: 'malicious' });
    },
  );
});

describe('a cdr submission', () => {
  test('names everything that was removed once, and serves the disarmed bytes under both paths', async () => {
    const service = testService();
    const uuid = await submitted(service, 'cdr', 'benign');
    const submission = await finished(service, uuid);
    expect(submission.reports[0]).toMatchObject({
      type: 'cdr',
      status: 'completed',
      level: null,
      removed: ['macro'],
      sanitized: ['external template'],
    });
    for (const name of ['cdr-sanitized', 'cdr']) {
      const download = await service.call(`/public-api/submissions/${uuid}/download/${name}`);
      expect(await download.text()).toBe('disarmed benign');
      expect(download.headers.get('content-disposition')).toBe('attachment; filename="invoice_sanitized.docx"');
      expect(download.headers.get('content-length')).toBe('15');
      expect(download.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('of a file that is safe already completes with empty lists and the same bytes', async () => {
    const service = testService();
    const uuid = await submitted(service, 'cdr', 'safe as it is');
    const submission = await finished(service, uuid);
    expect(submission.reports[0]).toMatchObject({ status: 'completed', removed: [], sanitized: [] });
    const download = await service.call(`/submissions/${uuid}/download/cdr-sanitized`);
    expect(await download.text()).toBe('safe as it is');
  });

  test('puts no name of the sender into the header', async () => {
    const service = testService();
    const name = '../../ev"il\r\nSet-Cookie: a=b\u202efdp.exe';
    const created = await service.call('/submissions/cdr', { method: 'POST', body: fileForm('benign', {}, name) });
    const { uuid } = (await created.json()) as { uuid: string };
    await service.queue.idle();
    const download = await service.call(`/submissions/${uuid}/download/cdr-sanitized`);
    expect(download.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[A-Za-z0-9_-]+_sanitized\.docx"$/,
    );
    expect(download.headers.has('set-cookie')).toBe(false);
  });
});

describe('search by sha256', () => {
  test('answers the submissions of the same bytes, newest first, and an empty list for unknown ones', async () => {
    const service = testService();
    const first = await submitted(service, 'static', 'benign');
    const second = await submitted(service, 'cdr', 'benign');
    const { hashes } = await finished(service, first);
    const found = (await (
      await service.call(`/submissions/search/sha256/${hashes?.sha256.toUpperCase()}`)
    ).json()) as Submission[];
    expect(found.map(({ uuid }) => uuid)).toEqual([second, first]);
    const unknown = await service.call(`/submissions/search/sha256/${'0'.repeat(64)}`);
    expect([unknown.status, await unknown.json()]).toEqual([200, []]);
  });
});

test('me counts real requests, itself included, and submissions', async () => {
  const service = testService();
  await submitted(service, 'static', 'benign');
  await service.queue.idle();
  const me = (await (await service.call('/me')).json()) as { userInfo: { limitsCount: object } };
  expect(me.userInfo.limitsCount).toEqual({
    apiRequestCount: 2,
    dailySubmissionCount: 1,
    concurrentSubmissionCount: 0,
  });
});
