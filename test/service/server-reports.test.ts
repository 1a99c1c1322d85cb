import { createHash } from 'node:crypto';
import { Compiler } from '@virustotal/yara-x';
import { BlobReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { describe, expect, test } from 'vitest';
import { loadRules } from '../../lib/engines/static/yara/yara.ts';
import { ErrorEnvelope } from '../../lib/service/contract/errors.ts';
import { fileForm, submitted, type TestService, testService } from './scripted-service.ts';

async function json(service: TestService, path: string, init?: RequestInit): Promise<Record<string, unknown>> {
  const response = await service.call(path, init);
  const body = (await response.json()) as Record<string, unknown>;
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body;
}

async function ended(route: string, text: string, fields = {}): Promise<{ service: TestService; at: string }> {
  const service = testService();
  const uuid = await submitted(service, route, text, fields);
  await service.queue.idle();
  return { service, at: `/submissions/${uuid}` };
}

async function endedUrl(url: string): Promise<{ service: TestService; at: string }> {
  const service = testService();
  const { uuid } = await json(service, '/submissions/url', { method: 'POST', body: JSON.stringify({ url }) });
  await service.queue.idle();
  return { service, at: `/submissions/${uuid}` };
}

describe('the findings of the engines are in the reports', () => {
  test('indicators, with category and techniques', async () => {
    const { service, at } = await ended('static', 'malicious');
    expect(await json(service, `${at}/indicators`)).toEqual({
      items: [
        {
          id: 'office-macro',
          name: 'Office macro',
          description: 'The document carries a macro (word/vbaProject.bin)',
          category: ['office'],
          level: 'malicious',
          score: 60,
          pids: [],
          attackCodes: ['T1059.005', 'T1204.002'],
          eventIds: [],
          syscallLineNumbers: [],
          author: 'system',
        },
      ],
      levels: { malicious: 1, suspicious: 0, benign: 0 },
      total: 1,
      page: 1,
      limit: 20,
      totalPages: 1,
    });
    expect(await json(service, `${at}/mitre`)).toEqual({ techniques: ['T1059.005', 'T1204.002'], total: 2 });
    for (const query of ['level=suspicious', 'category=pdf', 'attackCode=T1221', 'pid=4', 'page=2']) {
      expect((await json(service, `${at}/indicators?${query}`)).items).toEqual([]);
    }
    for (const query of ['level=malicious', 'category=office', 'attackCode=T1204.002']) {
      expect((await json(service, `${at}/indicators?${query}`)).items).toHaveLength(1);
    }
  });

  test.each([
    ['threatzone-python-sdk/1.0.0', 'office'],
    ['threatzone-python-sdk/1.1.1', ['office']],
    ['curl/8', ['office']],
  ])('the category as %s can read it', async (agent, category) => {
    const { service, at } = await ended('static', 'suspicious');
    const { items } = await json(service, `${at}/indicators`, { headers: { 'user-agent': agent } });
    expect(items).toMatchObject([{ category }]);
  });

  test('summary, YARA rules, artifacts and values to look for', async () => {
    const { service, at } = await ended('static', 'suspicious');
    expect(await json(service, `${at}/summary`)).toMatchObject({
      score: 60,
      indicators: { total: 1, levels: { suspicious: 1 } },
      iocCount: 3,
      yaraRuleCount: 0,
      artifactCount: 1,
      mitreTechniqueCount: 2,
      network: null,
    });
    const sha256 = createHash('sha256').update('suspicious').digest('hex');
    const { items } = await json(service, `${at}/artifacts`);
    expect(items).toMatchObject([{ type: 'sample', size: 10, hashes: { sha256 } }]);
    const [{ id }] = items as [{ id: string }];
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(await json(service, `${at}/iocs?type=sha256`)).toMatchObject({
      items: [{ type: 'sha256', value: sha256, artifacts: [id] }],
    });
    const download = await service.call(`${at}/download/artifact/${id}`);
    expect(await download.text()).toBe('suspicious');
  });

  test('a harmless file has no values to look for', async () => {
    const { service, at } = await ended('static', 'benign');
    expect(await json(service, `${at}/iocs`)).toMatchObject({ items: [], total: 0 });
    expect(await json(service, `${at}/summary`)).toMatchObject({ iocCount: 0, mitreTechniqueCount: 0 });
  });

  test('the static report in the shapes of both generations', async () => {
    const { service, at } = await ended('static', 'suspicious');
    const report = await json(service, `${at}/static-scan`);
    expect(report).toMatchObject({
      total: 1,
      status: 'completed',
      level: 'suspicious',
      score: 60,
      reportFormat: 'docx',
    });
    expect(report.items).toMatchObject([{ status: 'completed', engineVersion: 'scripted-1', lastErrorMessage: null }]);
    expect(report.fileInfo).toMatchObject({
      filesize: '10',
      sha256: createHash('sha256').update('suspicious').digest('hex'),
    });
    expect(await json(service, `${at}/static-scan/strings`)).toEqual({ items: ['suspicious'], total: 1 });
  });

  test('the disarm with every single change', async () => {
    const { service, at } = await ended('cdr', 'benign');
    expect(await json(service, `${at}/cdr`)).toMatchObject({
      removed: ['macro'],
      sanitized: ['external template'],
      sanitizedFileInfo: {
        name: 'invoice_sanitized.docx',
        fileSize: 15,
        details: [
          { name: 'macro', action: 'removed', data: { where: 'word/vbaProject.bin' } },
          { name: 'macro', action: 'removed', data: { where: 'word/vbaData.xml' } },
          { name: 'external template', action: 'sanitized' },
        ],
      },
    });
  });

  test.each([
    ['https://login.example.test/malicious', 'domain', 'login.example.test'],
    ['https://[2001:db8::1]/malicious', 'ip', '2001:db8::1'],
    ['https://192.0.2.1/malicious', 'ip', '192.0.2.1'],
  ])('the URL report of %s', async (url, type, value) => {
    const { service, at } = await endedUrl(url);
    expect(await json(service, `${at}/url-analysis`)).toMatchObject({
      level: 'malicious',
      generalInfo: { url },
      screenshot: { available: false },
      ipInfo: null,
      threatAnalysis: {
        overview: [
          { title: 'Office macro', verdict: 'malicious' },
          { title: 'Page not visited', verdict: 'unknown' },
        ],
        blacklist: false,
      },
    });
    expect((await json(service, `${at}/iocs`)).items).toMatchObject([
      { type: 'url', value: url },
      { type, value },
    ]);
  });

  test('a submitted email, with its attachments, but not the content of attachments', async () => {
    const email = [
      'From: "A" <a@example.test>',
      'To: b@example.test, "C, D" <c@example.test>',
      'Cc: =?utf-8?q?D=C3=B6?= <d@example.test>',
      'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
      'Message-ID: <1@example.test>',
      'X-Mailer: test',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: application/pdf; name="../a.pdf"',
      '',
      'bytes',
      '--b--',
      '',
    ].join('\r\n');
    const { service, at } = await ended('static', email);
    const [analysis] = (await json(service, `${at}/eml-analysis`)) as unknown as [Record<string, unknown>];
    expect(analysis).toMatchObject({
      headers: {
        message_id: '<1@example.test>',
        subject: 'Gr\u00fc\u00dfe',
        from_email: 'a@example.test',
        to_emails: ['b@example.test', 'c@example.test'],
        cc_emails: ['d@example.test'],
        bcc_emails: [],
      },
      other_headers: { 'x-mailer': 'test' },
      attachments: [{ filename: 'a.pdf', size: 5, extension: 'pdf', mime_type: 'application/pdf' }],
      qr_results: [],
    });
  });

  const ATTACHED =
    'Content-Type: application/pdf; name="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\naGVsbG8=\r\n';
  const MIXED = 'To: b@example.test\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed';
  test.each([
    [
      'behind a line that is no header field',
      `no field\r\n${MIXED}; boundary=p\r\n\r\n--p\r\n${ATTACHED}--p--\r\n`,
      'a.pdf',
      5,
    ],
    [
      'behind an mbox line',
      `From a@example.test 1 Jan\r\n${MIXED}; boundary=p\r\n\r\n--p\r\n${ATTACHED}--p--\r\n`,
      'a.pdf',
      5,
    ],
    [
      'in a message within the message',
      `${MIXED}; boundary=p\r\n\r\n--p\r\nContent-Type: message/rfc822\r\n\r\nSubject: y\r\n${ATTACHED}--p--\r\n`,
      'a.pdf',
      5,
    ],
    ['in a multipart that names no boundary', `${MIXED}\r\n\r\nwhatever`, 'file', 8],
  ])('an attachment %s is shown', async (_, email, filename, size) => {
    const { service, at } = await ended('static', email);
    const [analysis] = (await json(service, `${at}/eml-analysis`)) as unknown as [Record<string, unknown>];
    expect(analysis).toMatchObject({ headers: { to_emails: ['b@example.test'] }, attachments: [{ filename, size }] });
  });
});

test('a file that is no email has no email report', async () => {
  const { service, at } = await ended('static', 'benign');
  const response = await service.call(`${at}/eml-analysis`);
  const { code, message } = ErrorEnvelope.parse(await response.json());
  expect([response.status, code]).toEqual([409, 'DYNAMIC_REPORT_UNAVAILABLE']);
  expect(message).toContain('not an email');
});

test('an environment that nobody knows is refused by v3, too', async () => {
  const service = testService();
  const form = fileForm('benign', { environment: 'w95' });
  const refused = await service.call('/submissions/sandbox', { method: 'POST', body: form });
  const { code, details } = ErrorEnvelope.parse(await refused.json());
  expect([refused.status, code, details]).toMatchObject([422, 'INVALID_BODY', { param: 'environment' }]);
});

test('the sanitized file is one of the artifacts, and can be loaded as one', async () => {
  const { service, at } = await ended('cdr', 'safe');
  const { items } = (await json(service, `${at}/artifacts`)) as unknown as { items: { id: string; type: string }[] };
  expect(items.map(({ type }) => type)).toEqual(['sample', 'sanitized_file']);
  const loaded = await service.call(`${at}/download/artifact/${items[1]?.id}`);
  const sanitized = await service.call(`${at}/download/cdr-sanitized`);
  expect(await loaded.text()).toBe(await sanitized.text());
});

describe('a report that does not exist', () => {
  test.each([
    ['static', 'cdr', 'CDR_REPORT_UNAVAILABLE', null, ['static']],
    ['cdr', 'static-scan', 'STATIC_REPORT_UNAVAILABLE', null, ['cdr']],
    ['sandbox', 'processes', 'DYNAMIC_REPORT_UNAVAILABLE', null, ['static']],
    ['static', 'url-analysis', 'URL_ANALYSIS_REPORT_UNAVAILABLE', null, ['static']],
  ])(
    '%s/%s is %s with its status and what there is instead',
    async (route, path, code, currentStatus, availableReports) => {
      const { service, at } = await ended(route, 'benign');
      const response = await service.call(`${at}/${path}`);
      const envelope = ErrorEnvelope.parse(await response.json());
      expect([response.status, envelope.code]).toEqual([409, code]);
      expect(envelope.details).toMatchObject({ currentStatus, availableReports });
    },
  );

  test('opening in a browser is accepted, and says that no environment has one', async () => {
    const service = testService();
    const body = '{"url":"https://example.test/","environment":"w10_x64","metafields":{"timeout":60}}';
    const { uuid } = await json(service, '/submissions/open_in_browser', { method: 'POST', body });
    const first = (await json(service, `/submissions/${uuid}`)).reports as { type: string }[];
    expect(first.map(({ type }) => type)).toEqual(['url_analysis']);
    await service.queue.idle();
    expect(await json(service, `/submissions/${uuid}`)).toMatchObject({
      reports: [{ type: 'url_analysis', status: 'completed', level: 'benign' }],
      skippedReports: [{ type: 'open_in_browser', reason: { code: 'no_environment' } }],
    });
  });
});

describe('downloads', () => {
  test('the sample comes in a ZIP that opens with the customary password and no other', async () => {
    const { service, at } = await ended('static', 'suspicious sample');
    const response = await service.call(`${at}/download/sample`);
    const sha256 = createHash('sha256').update('suspicious sample').digest('hex');
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${sha256}.zip"`);
    const zip = await response.blob();
    expect(Buffer.from(await zip.arrayBuffer()).includes('suspicious')).toBe(false);
    const [entry] = await new ZipReader(new BlobReader(zip)).getEntries();
    if (!entry || entry.directory) throw new Error('no entry');
    expect([entry.filename, entry.encrypted]).toEqual([`${sha256}.bin`, true]);
    const bytes = await entry.getData(new Uint8ArrayWriter(), { password: 'infected' });
    expect(new TextDecoder().decode(bytes)).toBe('suspicious sample');
    await expect(entry.getData(new Uint8ArrayWriter(), { password: 'other' })).rejects.toThrow();
  });

  test('a URL has no sample', async () => {
    const { service, at } = await endedUrl('https://example.test/');
    const response = await service.call(`${at}/download/sample`);
    expect(ErrorEnvelope.parse(await response.json()).code).toBe('SAMPLE_NOT_AVAILABLE');
  });

  test('the page runs nothing and escapes texts of strangers', async () => {
    const service = testService();
    const form = new FormData();
    form.append('file', new Blob(['malicious']), '<script>alert(1)</script>&".docx');
    const { uuid } = await json(service, '/submissions/static', { method: 'POST', body: form });
    await service.queue.idle();
    const response = await service.call(`/submissions/${uuid}/download/html-report`);
    const page = await response.text();
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/);
    expect(page).not.toMatch(/<script|<[^>]+\son\w+=|src=|href=|@import|url\(/i);
    expect(page).toContain('script&gt;&amp;&quot;.docx');
    expect(page).toContain('Office macro');
    expect(page).toContain('T1059.005');
  });

  test('the rule compiles, and is pending until the static report is completed', async () => {
    const service = testService({ runner: { run: () => new Promise(() => undefined) } });
    const at = `/submissions/${await submitted(service, 'static', 'x')}/download/yara-rule`;
    const pending = await service.call(at);
    expect([pending.status, pending.headers.get('retry-after')]).toEqual([202, '5']);
    expect(await pending.json()).toMatchObject({ retryAfter: 5 });
    const done = await ended('static', 'suspicious');
    const rule = await (await done.service.call(`${done.at}/download/yara-rule`)).text();
    loadRules();
    const compiler = new Compiler();
    compiler.addSource(rule);
    const scanner = compiler.build().scanner();
    const { matches } = scanner.scan(new TextEncoder().encode('suspicious')) as { matches: unknown[] };
    expect(matches).toHaveLength(1);
    expect((scanner.scan(new TextEncoder().encode('suspicioux')) as { matches: unknown[] }).matches).toEqual([]);
    expect(rule).toContain(createHash('sha256').update('suspicious').digest('hex'));
    const failed = await ended('static', 'unreadable');
    const refused = await failed.service.call(`${failed.at}/download/yara-rule`);
    expect(ErrorEnvelope.parse(await refused.json()).code).toBe('STATIC_REPORT_UNAVAILABLE');
  });

  test('unknown artifacts and media are named by their codes', async () => {
    const { service, at } = await ended('static', 'benign');
    for (const [path, code] of [
      [`${at}/download/artifact/${'0'.repeat(24)}`, 'ARTIFACT_NOT_FOUND'],
      [`${at}/download/artifact/..%2f..%2fetc`, 'ARTIFACT_NOT_FOUND'],
      [`${at}/media/nothing`, 'MEDIA_NOT_FOUND'],
    ] as const) {
      const response = await service.call(path);
      expect([response.status, ErrorEnvelope.parse(await response.json()).code]).toEqual([404, code]);
    }
  });
});

test('the configuration says what exists, and what is known and does not exist', async () => {
  const service = testService();
  const all = await json(service, '/config/metafields');
  expect(Object.keys(all).sort()).toEqual(['cdr', 'open_in_browser', 'sandbox', 'static', 'url']);
  expect((all.sandbox as { active: boolean }[]).every(({ active }) => !active)).toBe(true);
  const environments = (await json(service, '/config/environments')) as unknown as { active: boolean }[];
  expect(environments.filter(({ active }) => active)).toMatchObject([
    { key: 'script_emulation', platform: 'windows', default: true },
  ]);
  expect(await json(service, '/v1/network-configs')).toEqual({ items: [] });
  const unknown = await service.call('/config/metafields/everything');
  const { code, details } = ErrorEnvelope.parse(await unknown.json());
  expect([unknown.status, code, details]).toEqual([400, 'INVALID_QUERY_PARAM', { param: 'scan_type' }]);
});

test('the type of the name is shown to a caller who asks for it', async () => {
  const { service, at } = await ended('static', 'benign', { dynamic_mimetype_check: 'false' });
  expect((await json(service, at)).file).toMatchObject({ extension: 'doc', isMimetypeChecked: false });
});
