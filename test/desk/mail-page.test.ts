/** What the page of a mail says of its way, of what is odd about it, and of its links; and its original as a file. */
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { describe, expect, test } from 'vitest';
import { ODD_DE } from '../../lib/desk/languages/odd-de.ts';
import { ODD_EN } from '../../lib/desk/languages/odd-en.ts';
import { mailFile } from '../../lib/desk/mail/file.ts';
import { WARNING_CODES } from '../../lib/message/model.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { type Audited, auditTrail } from '../../lib/pipeline/review/audit.ts';
import { createRig, emailWith } from '../pipeline/rig.ts';
import { type Desk, HELD, openDesk } from './desk-rig.ts';
import { strangeIn } from './inert-page.ts';

/** The words of a page, with a stroke where elements begin and end. */
const words = (page: string) =>
  page
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]+>/g, '|')
    .replace(/[|\s]*\|[|\s]*/g, '|');

async function fileOf(mail: string, header: string | null = null): Promise<string> {
  const { scan, rig } = await openDesk('reader');
  return words(mailFile(await rig.ledger(await scan(mail)), header, 'en'));
}

describe('the way of a mail', () => {
  const header = [
    'Received: from mx.sender.example (mx.sender.example [192.0.2.7])',
    ' by in.corp.example (Postfix) with ESMTPS id 1; Fri, 20 Nov 2026 11:00:02 +0000',
    'Received: from laptop by mx.sender.example; Fri, 20 Nov 2026 11:00:01 +0000',
    'Authentication-Results: in.corp.example; spf=pass smtp.mailfrom=a@sender.example;',
    ' dkim=fail (bad signature) header.d=sender.example; dmarc=none; x-odd=strange',
    'Subject: Hello',
  ].join('\r\n');

  test('is told server by server, the first one first, with what servers said of the sender in plain words', async () => {
    const page = await fileOf(emailWith({}), header);
    expect(page).toContain(
      '|laptop|mx[.]sender[.]example|Fri, 20 Nov 2026 11:00:01 +0000|mx[.]sender[.]example|in[.]corp[.]example|',
    );
    expect(page).toContain('|whether that server may send for the sender (SPF)|yes (pass)|in[.]corp[.]example|');
    expect(page).toContain('|whether the signature of a domain fits (DKIM)|no (fail)|');
    expect(page).toContain('(DMARC)|nothing to check (none)|');
    expect(page).toContain('|x-odd|strange|');
    expect(page).toContain('The sender can make up every line');
  });

  test('is not told of a header that says nothing of it, and of none', async () => {
    expect(await fileOf(emailWith({}), 'Subject: Hello')).not.toContain('How it came');
    expect(await fileOf(emailWith({}))).not.toContain('How it came');
  });

  test.each([
    'Received: <script>x</script> by "><b>; ;',
    `Received: ${'from '.repeat(20_000)}`,
    'Authentication-Results: ;;=;spf=;a=b',
    'Received:',
  ])('written as %j is only text', async (line) => {
    const { scan, rig } = await openDesk('reader');
    const page = mailFile(await rig.ledger(await scan(emailWith({}))), `${line}\r\nX: 1`, 'en');
    expect(strangeIn(page, { elements: ['style'], attributes: ['http-equiv'] })).toEqual([]);
  });
});

test('what is odd about a mail is said in plain words, with its code', async () => {
  const mail = emailWith({ text: 'Hello' }).replace(
    'Content-Type: text/plain',
    'Content-Type: text/html\r\nContent-Type: text/plain',
  );
  expect(await fileOf(mail)).toContain(
    '|A part says twice what it is. Programs take the first or the last.|duplicate_content_type|',
  );
});

test.each(WARNING_CODES)('%s has a sentence in each language', (code) => {
  for (const text of [ODD_EN[code], ODD_DE[code]]) expect(text).toMatch(/^[A-ZÄÖÜ].{20,}\.$/);
  expect(ODD_EN[code]).not.toBe(ODD_DE[code]);
});

test('a link says what a service made of it, and which address its text shows', async () => {
  const real = encodeURIComponent('https://pay.other.example/now');
  const wrapped = `https://eur01.safelinks.protection.outlook.com/?url=${real}&amp;data=05`;
  const page = await fileOf(emailWith({ html: `<p><a href="${wrapped}">https://bank.example</a></p>` }));
  expect(page).toMatch(
    /A service rewrote it: hxxps:\/\/eur01\[\.\]safelinks[^|]+→ hxxps:\/\/pay\[\.\]other\[\.\]example\/now/,
  );
  expect(page).toMatch(/Its text shows (?:hxxps:\/\/)?bank\[\.\]example/);
});

test('a link says where a visit of it was led on to, inert, in both languages', async () => {
  const redirects = ['https://next.example/a?b=<script>', 'javascript:alert(1)'];
  const answer = ({ kind }: { kind: string }) => (kind === 'url_analysis' ? { redirects } : {});
  const rig = createRig({ script: { answer } });
  const { ledger } = await rig.scan(emailWith({ html: '<p><a href="https://short.example/x">here</a></p>' }));
  for (const [language, said] of [
    ['en', 'A visit was led on to:'],
    ['de', 'Ein Besuch wurde weitergeleitet zu:'],
  ] as const) {
    const page = mailFile(ledger, null, language);
    expect(strangeIn(page, { elements: ['style'], attributes: ['http-equiv'] })).toEqual([]);
    expect(words(page).replace(/\s+/g, ' ')).toContain(
      `${said} hxxps://next[.]example/a?b=&lt;script&gt; → javascript[:]alert(1)`,
    );
  }
});

describe('the original', () => {
  test('is a zip with the usual password, which holds the mail byte for byte and no name of it', async () => {
    const { get, post, scan } = await openDesk('analyst');
    const runId = await scan(HELD);
    const page = await get(`/mails/${runId}`);
    expect(await page.text()).toContain(`<form method="post" action="/mails/${runId}/original.zip">`);
    expect(page.headers.get('content-security-policy')).toMatch(
      /; sandbox allow-forms allow-same-origin allow-downloads$/,
    );
    const answer = await post(`/mails/${runId}/original.zip`, { why: 'for the lab' });
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${runId}.zip"`);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    const zip = Buffer.from(await answer.arrayBuffer());
    expect([zip.includes('Invoice'), zip.includes('a.pdf')]).toEqual([false, false]);
    const reader = new ZipReader(new Uint8ArrayReader(zip), { password: 'infected', useWebWorkers: false });
    const [entry] = await reader.getEntries();
    expect(entry?.filename).toBe(`${runId}.eml`);
    if (entry === undefined || entry.directory) throw new Error('no file');
    expect(Buffer.from(await entry.getData(new Uint8ArrayWriter())).toString()).toBe(HELD);
  });

  const saved = (desk: Desk, runId: string, why = 'for the lab') => desk.post(`/mails/${runId}/original.zip`, { why });

  test('is on the audit trail with who saved it and why, and changes nothing else', async () => {
    const desk = await openDesk('analyst');
    const runId = await desk.scan(HELD);
    expect((await saved(desk, runId, 'to look at it')).status).toBe(200);
    expect(await trailOf(desk)).toMatchObject([
      {
        action: 'download',
        runId,
        attempt: 1,
        heldFor: ['malicious'],
        people: [{ name: 'pat', why: 'to look at it' }],
      },
    ]);
    expect((await desk.rig.ledger(runId)).attempt.number).toBe(1);
  });

  test('is not given when the trail cannot be written', async () => {
    const desk = await openDesk('analyst');
    const runId = await desk.scan(HELD);
    expect((await saved(desk, runId)).status).toBe(200);
    await desk.rig.blobs.put('work', keys.audit(1), Buffer.from('{}'));
    const answer = await saved(desk, runId);
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([500, null]);
  });

  test('is not for a reader, not without the cookie or a reason, not by a GET, and gone when it is deleted', async () => {
    const reader = await openDesk('reader');
    const seen = await reader.scan(HELD);
    expect(await (await reader.get(`/mails/${seen}`)).text()).not.toContain('original.zip');
    expect((await saved(reader, seen)).status).toBe(403);
    const desk = await openDesk('analyst');
    const runId = await desk.scan(HELD);
    const address = `/mails/${runId}/original.zip`;
    expect((await desk.send(address, { method: 'POST' })).status).toBe(403);
    expect((await desk.post(address, { why: 'x', csrf: 'x' })).status).toBe(403);
    expect((await saved(desk, runId, ' ')).status).toBe(422);
    expect((await desk.get(`${address}?why=x`)).status).toBe(404);
    expect((await saved(desk, 'e'.repeat(32))).status).toBe(404);
    expect(await trailOf(desk)).toEqual([]);
    await desk.post(`/mails/${runId}/delete`, { why: 'x', attempt: '1' });
    expect((await saved(desk, runId)).status).toBe(404);
    expect(await trailOf(desk)).toMatchObject([{ action: 'delete' }]);
  });
});

async function trailOf({ rig }: Desk): Promise<Audited['record'][]> {
  const found: Audited['record'][] = [];
  for await (const { record } of auditTrail(rig.ctx)) found.push(record);
  return found;
}

describe('the page of a mail as a file', () => {
  const titled = (page: string) => /<title>(.*?)<\/title>/.exec(page)?.[1];

  test('is saved under the id of the run, loads and sends nothing, and leads nowhere', async () => {
    const desk = await openDesk('reader');
    const runId = await desk.scan(HELD);
    const page = await (await desk.get(`/mails/${runId}`)).text();
    expect(page).toContain(`href="/mails/${runId}/report.html"`);
    const answer = await desk.get(`/mails/${runId}/report.html`);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${runId}.html"`);
    const file = await answer.text();
    expect(titled(file)).toBe(titled(page));
    expect(strangeIn(file, { elements: ['style'], attributes: ['http-equiv'] })).toEqual([]);
    expect(file).not.toMatch(/<(?:a|form|nav|button)\b/);
  });

  test('is not given without the cookie, and not of a mail that is not there', async () => {
    const desk = await openDesk('reader');
    const runId = await desk.scan(HELD);
    expect((await desk.send(`/mails/${runId}/report.html`)).status).toBe(403);
    expect((await desk.get(`/mails/${'e'.repeat(32)}/report.html`)).status).toBe(404);
  });
});
