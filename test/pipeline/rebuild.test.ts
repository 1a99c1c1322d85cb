import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { StageOrderError } from '../../lib/pipeline/errors.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { rebuild } from '../../lib/pipeline/rebuild.ts';
import { createRig, emailWith, PDF, type RigOptions } from './rig.ts';

const DISARMED = new TextEncoder().encode('%PDF-1.4 disarmed %%EOF');
const EVIL_NAME = 'invoice\u202Efdp.exe.pdf';

async function cleanOf(mail: string, options: RigOptions = {}) {
  const { clean, ledger } = await createRig(options).scan(mail);
  if (clean === null) throw new Error(`not delivered: ${JSON.stringify(ledger.reasons)}`);
  return { clean, ledger, reading: await readMessage(Buffer.from(clean, 'latin1'), DEFAULT_LIMITS) };
}

/** Of the words of the sender alone. */
const NO_BANNER = parsePolicy('{"told":{"banner":"off"}}');

const disarmPdf: RigOptions = {
  script: { answer: (request) => (request.kind === 'cdr' ? { disarmed: DISARMED, removed: ['JavaScript'] } : {}) },
};

test('a message of which nothing changes is the same but for the headers of the airlock', async () => {
  const mail = emailWith({ text: 'Grüße', html: '<p>Hello</p>', files: [{ name: 'a.pdf', bytes: PDF }] });
  const { clean } = await cleanOf(mail);
  const [, rest] = clean.split(/^(?:X-Airlock-[^\r]*\r\n)+/);
  expect(rest).toBe(Buffer.from(mail).toString('latin1'));
});

test('headers name the run and say what became of the parts', async () => {
  const { clean, ledger } = await cleanOf(emailWith({ files: [{ name: 'a.pdf', bytes: PDF }] }), disarmPdf);
  expect(clean).toContain(`X-Airlock-Run: ${ledger.runId}\r\n`);
  expect(clean).toContain('X-Airlock-Outcome: delivered; kept=1; disarmed=1; removed=0; blocked-urls=0\r\n');
});

describe('Authentication-Results', () => {
  const own = [
    'Authentication-Results: mx.recipient.example; dmarc=pass header.from=sender.example',
    'Authentication-Results: (checked) MX.recipient.example 1; spf=pass',
    'Authentication-Results: "mx.recipient.example"; none',
  ];
  const others = [
    'Authentication-Results: mx.sender.example; dmarc=pass',
    'Authentication-Results: mx.recipient.example.evil.example; dmarc=pass',
    'Authentication-Results: evil.example (mx.recipient.example); dmarc=pass',
    'Authentication-Results: mx.recipient.example@evil.example; dmarc=pass',
    'Authentication-Results: (mx.recipient.example; dmarc=pass',
    'Authentication-Results:\r\n evil.example;\r\n dmarc=pass mx.recipient.example',
    'Authentication-Results : mx.recipient.evil; dmarc=pass',
    'Authentication-Results:',
  ];
  const arc = 'ARC-Authentication-Results: i=1; mx.sender.example; dmarc=pass';
  const mail = (fields: readonly string[]) =>
    `${fields.join('\r\n')}\r\nFrom: a@sender.example\r\nTo: b@recipient.example\r\nSubject: x\r\n\r\nHello\r\n`;
  const fieldsOf = (clean: string) => clean.slice(0, clean.indexOf('From: ')).replace(/^(?:X-Airlock-[^\r]*\r\n)+/, '');
  const policy = parsePolicy('{"authentication":{"servers":["mx.recipient.example"]}}');

  test('of the servers in the policy stay byte for byte, and others go', async () => {
    const { clean } = await cleanOf(mail([...own, ...others, arc]), { policy });
    expect(fieldsOf(clean)).toBe([...own, arc, ''].join('\r\n'));
  });

  test('of all servers stay without such a policy', async () => {
    const fields = [...own, ...others.slice(0, 3), arc];
    expect(fieldsOf((await cleanOf(mail(fields))).clean)).toBe([...fields, ''].join('\r\n'));
  });

  test('of a message in the message stay', async () => {
    const inner = mail(['Authentication-Results: mx.sender.example; dmarc=pass']);
    const outer = `From: a@sender.example\r\nSubject: Fwd\r\nContent-Type: message/rfc822\r\n\r\n${inner}`;
    expect((await cleanOf(outer, { policy })).clean).toContain('mx.sender.example');
  });
});

test('forged X-Airlock headers are removed', async () => {
  const mail = emailWith({}).replace(
    'From:',
    'X-Airlock-Outcome: delivered; kept=99\r\nx-airlock-run: forged\r\nFrom:',
  );
  const { clean } = await cleanOf(mail);
  expect(clean).not.toMatch(/kept=99|forged/);
});

test('a disarmed file takes the place of the original; the other parts stay byte for byte', async () => {
  const text = 'ordinary\r\n words';
  const { clean, ledger, reading } = await cleanOf(emailWith({ text, files: [{ name: 'a.pdf', bytes: PDF }] }), {
    ...disarmPdf,
    policy: NO_BANNER,
  });
  expect(clean).toContain(`\r\n\r\n${text}\r\n--b1`);
  expect(clean).not.toContain(Buffer.from(PDF).toString('base64').slice(0, 40));
  const delivered = ledger.parts.flatMap((part) => (part.delivered ? [part.delivered.sha256] : []));
  expect(reading.parts.filter(({ sha256 }) => sha256).map(({ sha256 }) => sha256)).toEqual(delivered);
});

describe('a removed part', () => {
  const policy = parsePolicy('{"types":{"pdf":{"verdicts":{"benign":"remove"}}}}');

  test('leaves a notice that says what was removed and why', async () => {
    const { reading, clean } = await cleanOf(emailWith({ files: [{ name: 'a.pdf', bytes: PDF }] }), { policy });
    const notice = reading.parts[2];
    expect(notice).toMatchObject({ declaredType: 'text/html', untrustedNames: ['a.pdf (withheld).html'] });
    const page = Buffer.from(clean.slice(notice?.body.start, notice?.body.end), 'base64').toString();
    expect(page).toContain('<h1>This file was withheld</h1>');
    expect(page).toContain('<dd>a.pdf</dd>');
    expect(page).toContain('Files of this kind are not let through by mail.');
  });

  test('a hostile name does no harm in the header and in the notice', async () => {
    const mail = emailWith({ files: [{ name: EVIL_NAME, bytes: PDF }] });
    const { clean, reading } = await cleanOf(mail, { policy });
    expect(reading.parts[2]?.untrustedNames[0]).not.toMatch(/\u202e|[\r\n]/i);
    expect(clean).not.toContain(Buffer.from('\u202E').toString('latin1'));
  });
});

test('a link that is not benign is defanged in text and HTML, the rest of the text stays', async () => {
  const mail = emailWith({
    text: 'before https://bad.example/x after',
    html: '<p>before <a href="https://bad.example/x">here</a> <a href="https://good.example/">good</a></p>',
  });
  const script: RigOptions['script'] = {
    answer: (request) =>
      request.kind === 'url_analysis' && request.url.includes('bad') ? { verdict: 'suspicious' } : {},
  };
  const { reading, clean } = await cleanOf(mail, { script, policy: NO_BANNER });
  const texts = reading.parts
    .slice(1)
    .map(({ body }) => Buffer.from(clean.slice(body.start, body.end), 'base64').toString());
  expect(texts.join()).not.toContain('https://bad.example');
  expect(texts[0]).toMatch(/^before hxxps:\/\/.* after/);
  expect(texts[1]).toContain('<a href="https://good.example/">good</a>');
});

test('a plain text body that shows tags keeps them when its link is defanged', async () => {
  const script: RigOptions['script'] = {
    answer: (request) => (request.kind === 'url_analysis' ? { verdict: 'suspicious' } : {}),
  };
  const mail = emailWith({ text: '<p>hi</p> see https://bad.example/x' });
  const { clean, reading } = await cleanOf(mail, { script, policy: NO_BANNER });
  const body = reading.parts[1]?.body;
  expect(Buffer.from(clean.slice(body?.start, body?.end), 'base64').toString()).toMatch(/^<p>hi<\/p> see hxxps:/);
});

test('a part of a nested message is replaced inside it', async () => {
  const inner = emailWith({ subject: 'Inner', files: [{ name: 'a.pdf', bytes: PDF }] });
  const outer = [
    'From: c@sender.example',
    'To: bob@recipient.example',
    'Subject: Fwd',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    '--outer',
    'Content-Type: text/plain',
    '',
    'see below',
    '--outer',
    'Content-Type: message/rfc822',
    '',
    inner,
    '--outer--',
    '',
  ].join('\r\n');
  const { clean, ledger } = await cleanOf(outer, disarmPdf);
  expect(clean).toContain('Subject: Inner\r\n');
  expect(clean).toContain(Buffer.from(DISARMED).toString('base64'));
  expect(ledger.parts.find(({ path }) => path === '1.2.1.2')?.disposition).toBe('disarm');
});

test('a body that programs read in two ways is reported as rewritten', async () => {
  const mail = Buffer.from(emailWith({ text: 'Gr\u00fc\u00dfe' }).replace('; charset=utf-8', ''));
  const rig = createRig();
  const { ledger, clean } = await rig.scan(mail);
  expect(ledger.parts.map(({ path, disposition }) => [path, disposition])).toContainEqual(['1.1', 'disarm']);
  expect(clean).toContain('charset=utf-8');
});

describe('names of what stays', () => {
  const nested = (name: string) =>
    [
      ...['From: c@sender.example', 'To: bob@recipient.example', 'Subject: Fwd', 'MIME-Version: 1.0'],
      ...['Content-Type: multipart/mixed; boundary="outer"', '', '--outer', 'Content-Type: text/plain', '', 'see'],
      ...['--outer', `Content-Type: message/rfc822; name="${name}"`, ''],
      ...[emailWith({}), '--outer--', ''],
    ].join('\r\n');

  test.each([
    ['a.pdf', 'a.pdf'],
    ['www.a.pdf', 'www_a.pdf'],
    [' a.pdf', 'a.pdf'],
  ])('a file called "%s" is "%s" in mail and ledger', async (sent, delivered) => {
    const { reading, ledger } = await cleanOf(emailWith({ files: [{ name: sent, bytes: PDF }] }));
    const names = reading.parts[2]?.untrustedNames ?? [];
    const told = ledger.parts[2]?.delivered?.untrustedName;
    expect({ names: [...new Set(names)], told }).toEqual({ names: [told], told: delivered });
  });

  test.each([
    ['letter.eml', 'letter.eml'],
    ['www.letter.eml', 'www_letter.eml'],
  ])('a message called "%s" is "%s"', async (sent, delivered) => {
    const { reading } = await cleanOf(nested(sent));
    const message = reading.parts.find(({ role }) => role === 'message');
    expect([...new Set(message?.untrustedNames)]).toEqual([delivered]);
  });
});

test('run twice, it rebuilds the same bytes', async () => {
  const rig = createRig(disarmPdf);
  const { runId, ledger } = await rig.scan(emailWith({ files: [{ name: 'a.pdf', bytes: PDF }] }));
  await rebuild(rig.ctx, { ...newRun(runId), last: 'decide' });
  expect((await rig.ledger(runId)).rebuilt).toEqual(ledger.rebuilt);
});

test('warns once per part, and of at most twenty parts, which header fields it left out', async () => {
  const odd = (count: number) =>
    emailWith({
      files: Array.from({ length: count }, (_, at) => ({ name: `f${at}.pdf`, bytes: `${PDF}${at}` })),
    }).replaceAll(
      'Content-Disposition: attachment',
      'Content-Base: https://bad.example/\r\nContent-Disposition: attachment',
    );
  const said = (ledger: { warnings: readonly { code: string }[] }) =>
    ledger.warnings.filter(({ code }) => code === 'header_removed').length;
  const rig = createRig();
  const { runId, ledger } = await rig.scan(odd(2));
  expect(said(ledger)).toBe(2);
  await rebuild(rig.ctx, { ...newRun(runId), last: 'decide' });
  expect(said(await rig.ledger(runId))).toBe(2);
  expect(said((await createRig().scan(odd(22))).ledger)).toBe(20);
});

test('keeps beside the message only files that are delivered as such', async () => {
  const script: RigOptions['script'] = {
    answer: (request) => (request.kind === 'url_analysis' ? { verdict: 'suspicious' } : {}),
  };
  const files = [{ name: 'a.txt', bytes: 'see https://bad.example/y' }];
  const rig = createRig({ script });
  const { ledger } = await rig.scan(emailWith({ text: 'see https://bad.example/x', files }));
  const [body, file] = ledger.parts.filter(({ delivered }) => delivered !== null);
  const kept = rig.blobs.list('work').filter((key) => key.startsWith('disarmed/'));
  expect(kept).toContain(`disarmed/${file?.delivered?.sha256}`);
  expect(kept).not.toContain(`disarmed/${body?.delivered?.sha256}`);
  const policy = parsePolicy('{"types":{"pdf":{"verdicts":{"benign":"remove"}}}}');
  const other = createRig({ policy });
  const removed = (await other.scan(emailWith({ files: [{ name: 'a.pdf', bytes: PDF }] }))).ledger.parts[2];
  expect(removed?.disposition).toBe('remove');
  expect(other.blobs.list('work')).not.toContain(`disarmed/${removed?.delivered?.sha256}`);
});

test('stores what a service returned no second time, and what it wrote itself once', async () => {
  const stored: string[] = [];
  const overrides: RigOptions['overrides'] = ({ blobs }) => ({
    blobs: {
      ...blobs,
      put: async (...args) => {
        if (args[1].startsWith('disarmed/')) stored.push(args[1]);
        return blobs.put(...args);
      },
    },
  });
  const script: RigOptions['script'] = {
    answer: ({ kind }) =>
      kind === 'cdr' ? { disarmed: DISARMED } : kind === 'url_analysis' ? { verdict: 'suspicious' } : {},
  };
  const files = [
    { name: 'a.pdf', type: 'application/pdf', bytes: PDF },
    { name: 'a.txt', bytes: 'see https://bad.example/y' },
  ];
  const { ledger } = await createRig({ script, overrides }).scan(emailWith({ files }));
  const delivered = ledger.parts.filter(({ role }) => role === 'attachment').map((part) => part.delivered?.sha256);
  expect(delivered).toHaveLength(2);
  expect(stored.sort()).toEqual(delivered.map((sha256) => `disarmed/${sha256}`).sort());
});

test('refuses a run that was not decided', async () => {
  const rig = createRig();
  const run = await parse(rig.ctx, await rig.intake(emailWith({})));
  await expect(rebuild(rig.ctx, run)).rejects.toThrow(StageOrderError);
});
