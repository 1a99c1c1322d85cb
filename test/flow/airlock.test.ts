/** Whole emails through the command line and the real engines: fixture in, expected out. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePart } from '../../lib/message/encodings/decode-part.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { EMAILS } from '../fixtures/build-emails.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { equation, mail, objectOf } from '../hostile/static/document-fixture.ts';
import { airlock } from '../local/console.ts';
import { emailWith } from '../pipeline/rig.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-flow-'));
});
afterAll(() => rm(folder, { recursive: true }));

const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const fixture = (name: string) => join(import.meta.dirname, '../fixtures/emails', name);

async function scan(path: string) {
  const { code, stdout } = await airlock(['scan', '--json', '--out', join(folder, 'out'), path]);
  return {
    code,
    ...(JSON.parse(stdout) as { state: string; ledger: Ledger; written: { message: string; files: string[] } }),
  };
}

async function scanText(name: string, content: string | Uint8Array) {
  const path = join(folder, name);
  await writeFile(path, content);
  return scan(path);
}

/** What a person would want to know of a run, small enough to read in a diff. */
function summary({ ledger, state }: { ledger: Ledger; state: string }) {
  const { parts, artifacts, reasons, warnings } = ledger;
  const verdictOf = (id: string | null) => artifacts.find((artifact) => artifact.id === `file:${id}`)?.verdict;
  return {
    state,
    reasons: reasons.map(({ code }) => code),
    warnings: warnings.map(({ code }) => code),
    parts: parts
      .filter(({ sha256 }) => sha256)
      .map(
        (part) =>
          `${part.path} ${part.typeGroup} ${verdictOf(part.sha256)} ${part.disposition} ${part.delivered?.extension ?? '-'}`,
      ),
    urls: artifacts
      .filter(({ type }) => type === 'url')
      .map(({ untrustedUrl, verdict, disposition }) => `${untrustedUrl} ${verdict} ${disposition}`),
  };
}

test.each(Object.entries(EMAILS))('%s is what its builder builds', async (name, build) => {
  expect(await readFile(fixture(name), 'latin1')).toBe(await build());
});

test('invoice-with-macro: delivered, macro, scripts and the false link gone, everything else there', async () => {
  const outcome = await scan(fixture('invoice-with-macro.eml'));
  expect({ code: outcome.code, ...summary(outcome) }).toEqual({
    code: 0,
    state: 'delivered',
    reasons: [],
    warnings: [],
    parts: [
      '1.1.1 text benign disarm txt',
      '1.1.2.1 html unknown disarm html',
      '1.1.2.2 image benign disarm png',
      '1.2 office suspicious disarm docx',
      '1.3 pdf suspicious disarm pdf',
    ],
    urls: [
      'http://bank.example@pay.sender.example/pay?invoice=2026-117 suspicious disarm',
      'https://www.sender.example/terms benign keep',
    ],
  });
  const message = await readFile(outcome.written.message);
  const { parts, warnings } = await readMessage(message, DEFAULT_LIMITS);
  const [text, html, , docx, pdf] = parts
    .filter(({ sha256 }) => sha256)
    .map((part) => Buffer.from(decodePart(message, part)).toString('latin1'));
  expect(warnings).toEqual([]);
  expect(text).toContain('Dear Bob');
  expect(text).not.toMatch(/http:\/\/bank/);
  expect(html).toMatch(/<b>2026-117<\/b>[\s\S]*cid:logo@sender\.example/);
  expect(html).not.toMatch(/<script|pay\.sender/);
  expect(docx).not.toContain('vbaProject');
  expect(pdf).not.toMatch(/JavaScript|OpenAction/);
  expect(outcome.written.files).toHaveLength(3);
});

test('EICAR in an attachment holds the message', async () => {
  const outcome = await scanText(
    'eicar.eml',
    emailWith({ files: [{ name: 'a.txt', type: 'text/plain', bytes: EICAR }] }),
  );
  expect({ code: outcome.code, state: outcome.state, reasons: summary(outcome).reasons }).toEqual({
    code: 1,
    state: 'quarantined',
    reasons: ['malicious'],
  });
});

test('a URL that is malicious by agreement holds the message', async () => {
  const outcome = await scanText('url.eml', emailWith({ html: '<a href="http://malicious.airlock.test/x">x</a>' }));
  expect({ code: outcome.code, reasons: summary(outcome).reasons }).toEqual({ code: 1, reasons: ['malicious'] });
});

test('an ordinary mail with HTML of a newsletter is delivered byte for byte but for the headers of the airlock', async () => {
  const mail = emailWith({
    text: 'Hello,\r\nnews at https://shop.example/news',
    html: '<html><head><style>p{color:#333}</style></head><body><p>Hello <a href="https://shop.example/news">news</a></p><img src="https://shop.example/logo.png"></body></html>',
  });
  const outcome = await scanText('news.eml', mail);
  const delivered = await readFile(outcome.written.message, 'latin1');
  expect(delivered.replace(/^(X-Airlock-[^\r]*\r\n)+/, '')).toBe(mail);
});

/** What newsletters are made of. */
const NEWSLETTER =
  `<!DOCTYPE html><html xmlns:v="urn:schemas-microsoft-com:vml"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->
<link rel="stylesheet" href="https://shop.example/fonts.css"><style>@media (max-width:600px){.a{width:100%!important}}</style></head>
<body background="https://shop.example/b.png"><!-- preheader --><table data-name="block" width="600"><tr><td style="position:relative;color:red">Hello
<a href="https://shop.example/news">news</a><img src="https://shop.example/logo.png" srcset="https://shop.example/logo2.png 2x"><o:p></o:p>
</td></tr></table><img src="cid:logo@shop.example"><img src="https://shop.example/open.gif?u=1" width="1" height="1"></body></html>`.replaceAll(
    '\n',
    '\r\n',
  );

test('a newsletter is delivered byte for byte, and the same page as a file is not', async () => {
  const letter = emailWith({ text: 'Hello', html: NEWSLETTER });
  const kept = await scanText('newsletter.eml', letter);
  expect(summary(kept).parts).toEqual(['1.1 text benign keep txt', '1.2 html benign keep html']);
  expect((await readFile(kept.written.message, 'latin1')).replace(/^(X-Airlock-[^\r]*\r\n)+/, '')).toBe(letter);

  const file = emailWith({ text: 'Hello', files: [{ name: 'n.html', type: 'text/html', bytes: NEWSLETTER }] });
  const changed = await scanText('newsletter-file.eml', file);
  expect(summary(changed).parts[1]).toBe('1.2 html benign disarm html');
  const page = await readFile(changed.written.files[0] ?? '', 'utf8');
  expect(page).toContain('<a href="https://shop.example/news">news</a>');
  expect(page).toMatch(/<style>@media \(max-width: 600px\) \{\s*\.a \{ width: 100%\s*!important \}\s*\}<\/style>/);
  expect(page).not.toMatch(/<!--|<link|srcset|data-|background=|src="http|position/);
});

test('a program is removed with a notice, the rest is delivered', async () => {
  const outcome = await scanText(
    'program.eml',
    emailWith({ files: [{ name: 'tool.exe', bytes: new Uint8Array([0x4d, 0x5a, 0x90, 0, 3]) }] }),
  );
  expect(summary(outcome)).toMatchObject({
    state: 'delivered',
    parts: ['1.1 text benign keep txt', '1.2 executable unknown remove html'],
  });
  expect(await readFile(outcome.written.message, 'utf8')).toContain('tool.exe (withheld).html');
});

test('a damaged document is removed, never passed through', async () => {
  const damaged = buildPdf({ javascript: true }).slice(0, 90);
  const outcome = await scanText(
    'damaged.eml',
    emailWith({ files: [{ name: 'a.pdf', type: 'application/pdf', bytes: damaged }] }),
  );
  expect(await readFile(outcome.written.message ?? '/dev/null', 'latin1')).not.toContain(
    Buffer.from(damaged).toString('base64').slice(0, 40),
  );
  expect(outcome.ledger.parts[2]?.disposition).not.toBe('keep');
});

test('a bare document comes out as the safe document', async () => {
  const outcome = await scanText('js.pdf', buildPdf({ javascript: true }));
  expect(summary(outcome)).toMatchObject({ state: 'delivered', parts: ['1 pdf suspicious disarm pdf'] });
  expect(outcome.written.message).toBeNull();
  expect(await readFile(outcome.written.files[0] ?? '', 'latin1')).not.toMatch(/JavaScript|OpenAction/);
});

test('a part that mail programs decode in different ways holds the message', async () => {
  const mail = emailWith({ files: [{ name: 'a.pdf', bytes: buildPdf({ javascript: true }) }] }).replace(
    'Content-Transfer-Encoding: base64',
    'Content-Transfer-Encoding: 7bit\r\nContent-Transfer-Encoding: base64',
  );
  const outcome = await scanText('twice.eml', mail);
  expect({ code: outcome.code, state: outcome.state }).toEqual({ code: 1, state: 'quarantined' });
});

test('what stands behind the end of a message holds it, and is judged as a part of it', async () => {
  const mail = `${emailWith({ text: 'hello' })}\r\n--b1\r\nContent-Type: application/x-msdownload\r\n\r\n${'hidden behind the end '.repeat(20)}\r\n--b1--\r\n`;
  const outcome = await scanText('behind.eml', mail);
  expect(outcome).toMatchObject({ code: 1, state: 'quarantined', written: { message: null, files: [] } });
  const { warnings, parts } = summary(outcome);
  expect(warnings).toEqual(expect.arrayContaining(['text_outside_parts', 'part_recovered']));
  expect(parts).toContainEqual(expect.stringMatching(/^1~1 other .* remove -$/));
});

test('a document with a formula of the old equation editor loses the formula, and a crafted formula holds the mail', async () => {
  const harmless = Buffer.concat([Buffer.alloc(28), Buffer.from([3, 1, 1, 3, 0, 10, 1, 0, 2, 0x83, 0x78, 0, 0, 0])]);
  const document = (data: Uint8Array) =>
    `{\\rtf1 Our formula is {\\object\\objemb{\\*\\objclass Equation.3}{\\*\\objdata ${objectOf('Equation.3', data)}}{\\result x}}.}`;
  const ordinary = await scanText('formula.eml', mail('formula.rtf', Buffer.from(document(harmless))));
  expect(summary(ordinary)).toMatchObject({
    state: 'delivered',
    parts: [expect.anything(), '1.2 office suspicious disarm rtf'],
  });
  const [file = ''] = ordinary.written.files.filter((path) => path.endsWith('.rtf'));
  expect(await readFile(file, 'latin1')).toContain('Our formula is');
  expect(await readFile(file, 'latin1')).not.toMatch(/objdata|equation/i);
  const crafted = await scanText('crafted.eml', mail('formula.rtf', Buffer.from(document(equation))));
  expect(summary(crafted)).toMatchObject({ state: 'quarantined', reasons: ['malicious'] });
});
