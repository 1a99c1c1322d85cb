/** What people see of mail at the desk of a deployment, which reads none: another function does, and what comes back is inert and on record. */
import { randomBytes } from 'node:crypto';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import sharp from 'sharp';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDrawings } from '../../lib/desk/mail/drawings.ts';
import { preview } from '../../lib/desk/mail/preview.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { type Audited, appendAudit, auditTrail } from '../../lib/pipeline/review/audit.ts';
import { PreviewRequest } from '../../lib/pipeline/review/preview-request.ts';
import { emailWith, PDF, type Rig } from '../pipeline/rig.ts';
import { type CloudDesk, openCloudDesk } from './cloud-desk-rig.ts';
import { strangeIn } from './inert-page.ts';

const WHY = 'to look at it in the lab';
const PNG = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#ff0000' } })
  .png()
  .toBuffer();
const MAIL = emailWith({
  text: 'Hello <b>you</b>',
  files: [
    { name: 'logo.png', bytes: PNG },
    { name: 'a.pdf', bytes: PDF },
  ],
});

async function trailOf({ ctx }: Rig): Promise<Audited['record'][]> {
  const found: Audited['record'][] = [];
  for await (const { record } of auditTrail(ctx)) found.push(record);
  return found;
}

async function pathOf(desk: CloudDesk, runId: string, name: string): Promise<string> {
  const { parts } = await desk.rig.ledger(runId);
  return `/mails/${runId}/parts/${parts.find(({ untrustedNames }) => untrustedNames[0] === name)?.path}`;
}

async function opened(zip: Uint8Array) {
  const reader = new ZipReader(new Uint8ArrayReader(zip), { password: 'infected', useWebWorkers: false });
  const [entry] = await reader.getEntries();
  if (entry === undefined || entry.directory) throw new Error('no entry');
  return { name: entry.filename, bytes: Buffer.from(await entry.getData(new Uint8ArrayWriter())) };
}

describe('the page of a mail', () => {
  test('has its header, and leads to its parts', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(MAIL.replace('From:', 'X-Odd: <script>alert(1)</script>\r\nFrom:'));
    const page = await desk.get(`/mails/${runId}`);
    expect(page.text).toContain('X-Odd: &lt;script&gt;');
    expect(page.text).toContain(await pathOf(desk, runId, 'logo.png'));
    expect([strangeIn(page.text), desk.looked]).toEqual([[], [{ what: 'header', runId }]]);
  });

  test('is there without the header when nobody can read it just now, and that is told', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(MAIL);
    desk.broken.add('preview');
    const page = await desk.get(`/mails/${runId}`);
    expect([page.status, page.text.includes('ana'), desk.failures.length]).toEqual([200, true, 1]);
  });

  test('has no header of another mail that came under the same name since', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(emailWith({ text: 'delivered', subject: 'first' }));
    const { intake } = await desk.rig.ledger(runId);
    await desk.rig.blobs.put('intake', intake.untrustedKey, Buffer.from('X-Other: mail\r\n\r\nx'));
    expect((await desk.get(`/mails/${runId}`)).text).not.toContain('X-Other');
  });
});

describe('a part', () => {
  test('is drawn on both sides, one picture at a time, as a PNG under the policy of the desk', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(MAIL);
    const path = await pathOf(desk, runId, 'logo.png');
    const page = await desk.get(path);
    expect([page.status, page.text.includes(`src="${path}/before/1"`)]).toEqual([200, true]);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const picture = await desk.get(`${path}/before/1`);
    expect([picture.headers['content-type'], picture.headers['x-content-type-options']]).toEqual([
      ...['image/png', 'nosniff'],
    ]);
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'png', width: 40, height: 20 });
    expect((await desk.get(`${path}/before/2`)).status).toBe(404);
  });

  test('that is a text stands in a frame without anything', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(MAIL);
    const frame = await desk.get(`/mails/${runId}/parts/1.1/before/text`);
    expect(frame.text).toContain('Hello &lt;b&gt;you&lt;/b&gt;');
    expect(frame.headers['content-security-policy']).toMatch(/default-src 'none';.*sandbox$/);
  });

  test('that is a text is read in the charset of its header', async () => {
    const desk = await openCloudDesk();
    const head = 'From: a@sender.example\r\nTo: b@rcpt.example\r\nSubject: Hello\r\nMIME-Version: 1.0';
    const type = 'Content-Type: text/plain; charset=iso-8859-7\r\nContent-Transfer-Encoding: base64';
    const text = Buffer.from('\xc3\xe5\xe9\xdc', 'latin1').toString('base64');
    const runId = await desk.scan(`${head}\r\n${type}\r\n\r\n${text}\r\n`);
    expect((await desk.get(`/mails/${runId}/parts/1/before/text`)).text).toContain('Γειά');
  });

  test('is shown to nobody who has not signed in', async () => {
    const desk = await openCloudDesk();
    const path = await pathOf(desk, await desk.scan(MAIL), 'logo.png');
    for (const at of [path, `${path}/before/1`]) expect((await desk.send(at)).status).toBe(303);
    expect(desk.looked).toEqual([]);
  });
});

describe('the original', () => {
  const take = (desk: CloudDesk, runId: string, fields: Record<string, string> = {}, claims: object = {}) =>
    desk.post(`/mails/${runId}/original.zip`, { why: WHY, ...fields }, {}, claims as never);

  test('comes as a zip with a password, byte for byte, once the trail says who took it and why', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(MAIL);
    const answer = await take(desk, runId);
    expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      ...[200, 'application/octet-stream', `attachment; filename="${runId}.zip"`],
    ]);
    expect(await opened(answer.bytes)).toEqual({ name: `${runId}.eml`, bytes: Buffer.from(MAIL) });
    expect(await trailOf(desk.rig)).toMatchObject([
      { action: 'download', runId, attempt: 1, people: [{ name: 'pat@example.org', why: WHY }] },
    ]);
    expect((await desk.rig.ledger(runId)).attempt.number).toBe(1);
  });

  test('is taken out by nobody without a role for it, without a reason, or by a GET', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(MAIL);
    expect((await take(desk, runId, {}, { groups: ['reader'] })).status).toBe(403);
    expect((await take(desk, runId, { csrf: 'x' })).status).toBe(403);
    expect((await take(desk, runId, { why: ' ' })).status).toBe(422);
    expect((await desk.get(`/mails/${runId}/original.zip?why=x`)).status).toBe(404);
    expect((await take(desk, 'ef'.repeat(16))).status).toBe(403);
    for (const path of ['originals', 'xrelease', 'original.zipx'])
      expect((await desk.post(`/mails/${runId}/${path}`, { why: WHY })).status).toBe(404);
    expect([desk.looked, await trailOf(desk.rig)]).toEqual([[], []]);
  });

  test('that is deleted is gone, and one that does not fit into an answer is saved by a link to its zip', async () => {
    const desk = await openCloudDesk();
    const large = emailWith({ files: [{ name: 'a.pdf', bytes: randomBytes(4_200_000) }] });
    const runId = await desk.scan(large);
    const answer = await take(desk, runId);
    const key = keys.takeOut(runId, 1);
    const address = `https://work.s3.example/${key}?name=${runId}.zip&signed=1`;
    expect([answer.status, strangeIn(answer.text)]).toEqual([200, [address]]);
    expect(answer.text).toContain(
      `href="https://work.s3.example/${key}?name=${runId}.zip&amp;signed=1" rel="noreferrer"`,
    );
    expect(answer.headers['content-security-policy']).toContain('allow-downloads');
    const zip = await desk.rig.blobs.get('work', key, { maxBytes: 10_000_000 });
    expect(await opened(zip)).toEqual({ name: `${runId}.eml`, bytes: Buffer.from(large) });
    expect(await trailOf(desk.rig)).toMatchObject([{ action: 'download', runId, people: [{ why: WHY }] }]);
    expect((await take(desk, runId, {}, { groups: ['reader'] })).status).toBe(403);
    for (const bucket of ['quarantine', 'intake'] as const)
      for (const key of desk.rig.blobs.list(bucket)) desk.rig.blobs.remove(bucket, key);
    expect((await take(desk, runId)).status).toBe(404);
  });
});

describe('a desk that was taken over gets no original', () => {
  async function asked(given: (rig: Rig, runId: string) => Promise<unknown>, record = 1) {
    const desk = await openCloudDesk();
    const runId = await desk.scan(MAIL);
    await given(desk.rig, runId);
    const drawings = createDrawings(desk.rig.blobs);
    return preview({ ctx: desk.rig.ctx, drawings }, { what: 'original', runId, record });
  }
  const noted = (rig: Rig, runId: string, action: 'download' | 'false_alarm' = 'download') =>
    appendAudit(rig.ctx, {
      ...{ action, runId, attempt: 1, form: null, heldFor: [] },
      people: [{ name: 'pat', why: WHY, at: new Date(rig.ctx.clock.now()).toISOString() }],
    });

  test.each<[string, Parameters<typeof asked>[0], number?]>([
    ['without a record', async () => undefined],
    ['by a number that is not there', noted, 2],
    ['by a record of another mail', (rig) => noted(rig, 'ab'.repeat(16))],
    ['by a record of another kind', (rig, runId) => noted(rig, runId, 'false_alarm')],
    [
      'by a record of long ago',
      async (rig, runId) => {
        await noted(rig, runId);
        rig.advance(6 * 60_000);
      },
    ],
    [
      'by a record that nobody signed',
      async (rig, runId) => {
        await noted(rig, runId);
        const text = Buffer.from(await rig.blobs.get('work', keys.audit(1), { maxBytes: 100_000 })).toString();
        await rig.blobs.put('work', keys.audit(1), Buffer.from(text.replace('pat', 'eve')));
      },
    ],
  ])('%s', async (_, given, record) => {
    expect(await asked(given, record)).toEqual({ state: 'refused', code: 'no_record' });
  });

  test('nor what is in a part by another way than the one in which people see it', async () => {
    const desk = await openCloudDesk();
    const [runId, other] = [
      await desk.scan(MAIL),
      await desk.scan(emailWith({ files: [{ name: 'b.pdf', bytes: PDF }] })),
    ];
    const { parts } = await desk.rig.ledger(runId);
    const { sha256, path = '' } = parts.find(({ untrustedNames }) => untrustedNames[0] === 'logo.png') ?? {};
    for (const named of [{ sha256 }, { kind: 'text' }])
      expect(PreviewRequest.safeParse({ what: 'drawn', runId, path, side: 'before', page: 1, ...named }).success).toBe(
        false,
      );
    const drawings = createDrawings(desk.rig.blobs);
    onTestFinished(() => drawings.close());
    const look = (of: string, at: string) =>
      preview({ ctx: desk.rig.ctx, drawings }, { what: 'drawn', runId: of, path: at, side: 'before', page: 1 });
    expect(await look(other, '9.9')).toEqual({ state: 'gone' });
    expect(await look('ef'.repeat(16), path)).toEqual({ state: 'gone' });
    expect(await look(runId, path)).toMatchObject({ state: 'drawn', untrustedText: '', pictures: 1 });
  });

  test('and with one it gets that one', async () => {
    expect(await asked(noted)).toMatchObject({ state: 'original' });
  });
});
