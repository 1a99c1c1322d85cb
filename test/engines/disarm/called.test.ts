/** A program opens a file by its name. So no file comes back unchanged because its bytes look like something else. */
import { expect, test } from 'vitest';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildDocm, buildMacroFreeDocx } from '../../fixtures/build-office.ts';
import { buildPdf } from '../../fixtures/build-pdf.ts';
import { disarmed, disarmReport, refusalCode } from './run-disarm.ts';

const COMMAND = "=cmd|' /C LIVE'!A0";
const rtf = '{\\rtf1 hello}';

test.each([
  ['JSON', `[\r\n"${COMMAND}"\r\n,1]`],
  ['a calendar', `BEGIN:VCALENDAR\r\n${COMMAND}\r\n`],
  ['a card', `BEGIN:VCARD\r\n"${COMMAND}",1\r\n`],
  ['an email', `From: a@a.example\r\nTo: b@b.example\r\nSubject: x\r\n\r\n${COMMAND}\r\n`],
  ['a script', `#!/bin/sh\n${COMMAND}\n`],
  ['text', `one\n${COMMAND}\n`],
])('a table that looks like %s is a table', async (_, content) => {
  const { outcome, extension, text } = await disarmed(content, 't.csv');
  expect({ outcome, extension }).toEqual({ outcome: 'disarmed', extension: 'csv' });
  expect(text).not.toMatch(/^"?=/m);
});

test.each([
  [
    'a calendar behind text',
    'a.ics',
    'x\r\nBEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nATTACH:LIVE\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  ],
  ['a card behind text', 'a.vcf', 'x\r\nBEGIN:VCARD\r\nFN:Ann\r\nKEY:LIVE\r\nEND:VCARD\r\n'],
  [
    'XHTML called HTML',
    'a.html',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body onload="LIVE">x</body></html>',
  ],
  ['a drawing called HTML', 'a.htm', '<svg xmlns="http://www.w3.org/2000/svg" onload="LIVE"/><p>x'],
])('%s is read as its program does', async (_, name, content) => {
  const { outcome, text } = await disarmed(content, name);
  expect(outcome).toBe('disarmed');
  expect(text).not.toContain('LIVE');
});

test.each([
  ['a text', 'a.docx', 'hello'],
  ['a text', 'a.xls', 'a\tb'],
  ['a page', 'a.csv', '<table><tr><td>=1+1</td></tr></table>'],
  ['a text', 'a.pdf', 'hello'],
  ['a text', 'a.eml', 'hello'],
  ['a text', 'a.zip', 'hello'],
  ['a text', 'a.png', 'hello'],
  ['RTF', 'a.xlsx', rtf],
  ['a picture', 'a.pdf', buildPng()],
  ['a picture', 'a.html', buildPng()],
  ['a PDF', 'a.docx', buildPdf({})],
])('%s called %s is refused', async (_, name, content) => {
  const extension = name.slice(1);
  expect(await disarmReport(content, name)).toMatchObject({
    outcome: 'failed',
    failure: { code: 'unsupported', message: expect.stringContaining(`is called ${extension}, but its bytes are`) },
  });
});

const archive = (more: string) =>
  `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\nA web page\r\n--b\r\nContent-Location: file:///C:/a.htm\r\nContent-Type: text/html\r\n\r\n<p onclick="LIVE()">KEEP</p>\r\n--b\r\nContent-Location: file:///C:/editdata.mso\r\nContent-Transfer-Encoding: base64\r\nContent-Type: application/x-mso\r\n\r\n${Buffer.from('ActiveMimeLIVE').toString('base64')}\r\n${more}--b--\r\n`;

test.each([
  ['a page', 'report.xls', '<table><tr><td>KEEP<script>LIVE()</script></td></tr></table>', 'html'],
  ['a page', 'report.xlsx', '<html><body><p onclick="LIVE()">KEEP</p></body></html>', 'html'],
  ['a page', 'letter.doc', '<html><body><p>KEEP</p><!-- LIVE --></body></html>', 'html'],
  ['a page', 'letter.rtf', '<html><body><p>KEEP</p><img src="//LIVE.example/x"></body></html>', 'html'],
  ['a page that needs no change', 'report.xls', '<p>KEEP</p>', 'html'],
  ['a web archive', 'letter.doc', archive(''), 'html'],
  [
    'a web archive',
    'report.xls',
    archive('').replace('\r\nContent', '\r\nX-Document-Type: Workbook\r\nContent'),
    'html',
  ],
  ['a table', 'report.xls', `"KEEP","b"\r\n"c","${COMMAND}"\r\n"d","e"\r\n`, 'csv'],
  ['a table of tabs', 'report.xls', `KEEP\tb\r\n${COMMAND}\td\r\n`, 'csv'],
  ['a table of semicolons', 'report.xls', `KEEP;b\n${COMMAND};d\n`, 'csv'],
])('%s called %s is disarmed as what it is, and called that', async (_, name, content, extension) => {
  const report = await disarmed(content, name);
  expect({ outcome: report.outcome, extension: report.extension }).toEqual({ outcome: 'disarmed', extension });
  expect(report.kinds[0]).toBe('misleading name');
  expect(report.text).toContain('KEEP');
  expect(report.text).not.toContain('LIVE');
  expect(await disarmed(report.bytes, `again.${extension}`)).toMatchObject({
    outcome: 'already_safe',
    text: report.text,
  });
});

test.each([
  ['a page with bytes of another file behind it', 'a.xls', `<table><tr><td>a</table>PK\x05\x06${'\0'.repeat(18)}`],
  ['a table with bytes of another file before it', 'a.xls', '\x09\x08\x10\0a\tb\r\nc\td\r\n'],
  ['a letter', 'a.doc', 'Dear Bob,\r\n\r\nhello\tthere\r\n'],
  ['a letter with header lines', 'a.doc', 'MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nhello\r\n'],
  ['a table', 'a.doc', 'a;b\r\nc;d\r\n'],
  ['SYLK', 'a.xls', 'ID;PWXL;N;E\r\nC;X1;Y1;K"a"\r\nE\r\n'],
])('%s called %s stays refused', async (_, name, content) => {
  expect(await refusalCode(Buffer.from(content, 'latin1'), name)).toBe('unsupported');
});

test.each(['a.svg', 'a.ics', 'a.vcf', 'a.xml'])(
  'a text called %s is refused by the reader of that kind',
  async (name) => {
    expect(await refusalCode('hello', name)).toBe('unreadable');
  },
);

test('macro types, templates and types that programs tell apart are accepted under each name', async () => {
  expect((await disarmed(await buildDocm(), 'a.docx')).extension).toBe('docx');
  expect((await disarmed(await buildMacroFreeDocx(), 'a.doc')).extension).toBe('docx');
  expect((await disarmed(rtf, 'letter.doc')).extension).toBe('rtf');
  expect((await disarmed(buildPng(), 'a.jpg')).extension).toBe('png');
  expect((await disarmed(await buildMacroFreeDocx(), 'a.zip')).extension).toBe('docx');
});

test.each([
  ['a text', 'bin', 'hello', 'txt'],
  ['a text with a name of no kind', 'notes.v2', 'hello', 'txt'],
  ['JSON', 'a.json', '{"a":1}', 'json'],
  ['an empty file', 'a.docx', '', 'txt'],
])('%s called %s is what it is', async (_, name, content, extension) => {
  expect(await disarmed(content, name)).toMatchObject({ outcome: 'already_safe', extension });
});

test.each([
  ['a forward', 'From: Ann <a@a.example>\nSent: Friday\nTo: Bob\nSubject: Lunch\n\nSee below.\n'],
  ['a contact form', 'Date: today\nFrom: a@a.example\nSubject: Question\n\nHello\n'],
  ['a line of a mailbox', 'From x Fri Nov 20 10:00:00 2026\nSubject: hi\n\nHello\n'],
  ['output of a script', '#!/bin/sh\necho done\n'],
])('%s is plain text when it is called that', async (_, content) => {
  expect(await disarmed(content, 'body.txt')).toMatchObject({
    outcome: 'already_safe',
    text: content,
    extension: 'txt',
  });
});

const comments = '%ccc\n'.repeat(15_000);
const script = buildPdf({ javascript: true });
const body = Buffer.from(script).subarray(Buffer.from(script).indexOf('\n') + 1);

test.each([
  ['behind kilobytes of comments', Buffer.concat([Buffer.from(`x\n%PDF-1.4\n${comments}`), body])],
  ['with an odd header', Buffer.concat([Buffer.from(`%PDF-a\n${comments}`), body])],
  [
    'with comments in its objects',
    Buffer.concat([Buffer.from(`x\n%PDF-1.4\n${comments}1%c\n0%c\nobj\n<<>>\nendobj\n`), body]),
  ],
])('a PDF %s is a PDF, whatever it is called', async (_, bytes) => {
  for (const name of ['a.pdf', 'a', 'a.txt']) {
    const report = await disarmReport(bytes, name);
    if (report.outcome === 'failed') expect(report.failure.code).toMatch(/^un(?:readable|supported)$/);
    else
      expect({ type: report.type.extension, isLive: Buffer.from(report.bytes).includes('JavaScript') }).toEqual({
        type: 'pdf',
        isLive: false,
      });
  }
});

test('a text about PDF stays a text', async () => {
  expect(await refusalCode('A file starts with %PDF-1.4, and its objects end with the trailer.', 'a.txt')).toBeNull();
});

test.each(['desktop.ini', 'a/Desktop.INI', 'desktop.ini. ', '.directory', 'folder.htt'])(
  'settings of a folder are refused under the name %s',
  async (name) => {
    const text = '[.ShellClassInfo]\r\nIconResource=\\\\load.example\\a.ico,0\r\n';
    expect(await refusalCode(text, name)).toBe('unsupported');
    expect(await disarmed(text, 'my-desktop.ini')).toMatchObject({ outcome: 'already_safe' });
  },
);
