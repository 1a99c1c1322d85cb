import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identifyFile } from '../../lib/formats/detection/file-type.ts';

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const groupOf = (content: string, declaredType: string, ...untrustedNames: string[]) =>
  identifyFile(bytes(content), { untrustedNames, declaredType, role: 'attachment' }).typeGroup;

/** Texts that are harmless to read; what a program does with them follows from what it takes them for. */
const TEXTS = [
  'hello',
  'start calc.exe\r\n',
  'var a = 1; go(a);',
  'MsgBox 1',
  ';\r\n[InternetShortcut]\r\nURL=x',
  'a,b\n1,2',
];
/** Groups of which an attachment may be delivered byte for byte. */
const KEPT = ['text', 'html', 'image', 'pdf', 'office'];

describe('the declared type decides what a text is', () => {
  const SCRIPTS =
    'application/hta application/javascript text/javascript application/x-javascript application/ecmascript text/vbscript ' +
    'application/x-vbs application/x-bat application/bat application/x-sh text/x-shellscript application/x-powershell ' +
    'text/scriptlet application/x-python text/x-python application/x-php application/x-perl application/x-java-jnlp-file';
  test.each(SCRIPTS.split(' '))('%s is a script', (type) => {
    for (const text of TEXTS)
      for (const names of [[], ['a.txt'], ['a']]) expect(groupOf(text, type, ...names)).toBe('script');
  });

  const OTHERS =
    'application/x-msdownload text/calendar text/x-vcard text/vcard text/rtf application/rtf text/richtext text/enriched ' +
    'application/xhtml+xml application/xml text/xml image/svg+xml text/css text/watch-html text/x-amp-html application/json ' +
    'application/internet-shortcut application/x-mswinurl application/x-mimearchive application/x-sylk application/x-foo';
  test.each(OTHERS.split(' '))('%s is no text', (type) => {
    for (const text of TEXTS)
      for (const names of [[], ['a.txt'], ['a']]) expect(groupOf(text, type, ...names)).toBe('other');
  });

  test('a file that is declared as a program counts as one, even when it is empty', () => {
    for (const type of [
      'application/java-archive',
      'application/x-msdos-program',
      'application/vnd.microsoft.portable-executable',
    ])
      expect(groupOf('hello', type, 'a.txt')).toBe('executable');
  });

  test('a generic type leaves the decision to the name, and a file without a name is no text', () => {
    for (const type of ['application/octet-stream', 'application/force-download', 'binary/octet-stream']) {
      expect(groupOf('hello', type, 'a.txt')).toBe('text');
      expect(groupOf('hello', type)).toBe('other');
      expect(groupOf('hello', type, 'README')).toBe('text');
    }
  });

  test('a file of an unknown type is not delivered as text or as a page', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9.+-]{0,20}$/);
    const texts = fc.constantFrom(...TEXTS, '<html><body>x');
    fc.assert(
      fc.property(word, word, texts, fc.constantFrom([], ['a.txt'], ['a.html']), (family, subtype, text, names) => {
        fc.pre(family !== 'text' && subtype !== 'octet-stream');
        expect(KEPT).not.toContain(groupOf(text, `${family}/${subtype}`, ...names));
      }),
    );
  });

  test('a picture or document declared as a script or as a page of XML is what it is declared', () => {
    for (const content of ['\x89PNG\r\n\x1a\n', '%PDF-1.4', 'GIF89a\x01\0']) {
      expect(groupOf(content, 'application/hta')).toBe('script');
      expect(groupOf(content, 'image/svg+xml', 'a.png')).toBe('other');
      expect(KEPT).toContain(groupOf(content, 'application/x-msdownload', 'a'));
    }
  });

  test('the texts of ordinary mail stay texts', () => {
    expect(groupOf('-----BEGIN PGP SIGNATURE-----', 'application/pgp-signature', 'signature.asc')).toBe('text');
    expect(groupOf('Reporting-MTA: dns; in.example.org', 'message/delivery-status')).toBe('text');
    expect(groupOf('From: a@b.example\r\nTo: c@d.example\r\nSubject: x\r\n', 'text/rfc822-headers')).toBe('text');
    expect(groupOf('see <mailto:a@b.example> and <https://b.example/>', 'text/plain', 'a.txt')).toBe('text');
    expect(groupOf('std::vector<std::string> a;', 'text/plain', 'a.txt')).toBe('text');
  });
});

describe('markup makes a text something else', () => {
  test.each([
    ['a script under a prefix', '<h:root xmlns:h="x"><h:script>alert(1)</h:script></h:root>'],
    ['a frame under a prefix', 'hello <x:iframe src="//a/">'],
    ['a name space', 'hello <a_b xmlns = "http://www.w3.org/1999/xhtml">'],
    ['XML', '<?xml version="1.0"?><a/>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a stylesheet of XML', '<xsl:stylesheet version="1.0">'],
  ])('%s', (_, text) => {
    expect(groupOf(text, 'text/plain', 'a.txt')).toBe('other');
    expect(groupOf(text, 'text/plain')).toBe('other');
  });

  test('a mark of UTF-16 in front of an address in ASCII makes no text, because some programs ignore the mark', () => {
    expect(groupOf('\xff\xfehttp://evil.example/x', 'text/plain', 'a.txt')).toBe('other');
  });
});

describe('a file is a page only when nothing contradicts it', () => {
  test.each([
    ['text/html', 'a.html'],
    ['text/html', 'a.txt'],
    ['text/html', ''],
    ['application/octet-stream', 'a.htm'],
    ['text/plain', 'a.html'],
  ])('%s called %j', (type, name) => expect(groupOf('<p>x', type, ...[name].filter(Boolean))).toBe('html'));

  test.each([
    ['text/html', 'a.xls'],
    ['text/html', 'a.doc'],
    ['text/html', 'a.eml'],
    ['text/html', 'a.pdf'],
    ['application/vnd.ms-excel', 'a.html'],
    ['message/rfc822', 'a.html'],
    ['application/octet-stream', 'a.doc'],
  ])('%s called %j is none', (type, name) => expect(groupOf('<html><body>x', type, name)).toBe('other'));

  test('a page with the name of a script is a script', () =>
    expect(groupOf('<p>x', 'text/html', 'a.hta')).toBe('script'));
});

describe('a dangerous name is seen wherever a program may cut the whole', () => {
  test.each([
    'run.hta/',
    'run.hta\\',
    'run.hta/x.txt',
    'run.bat\t.txt',
    'run.bat\0.txt',
    'run.bat\n.txt',
    'run.bat\xa0.txt',
    'run.bat    .txt',
    'a.txt:run.js',
    'run.js:a.txt',
    'run.vbs::$DATA',
    'run.hta...',
    'run.hta . .',
    'run.hta"',
    'run%2Ehta',
    'run.hta%00.txt',
    'a.txt%2Frun.hta',
    'run\uff0ehta',
    'run.\uff48\uff54\uff41',
    'run.h\u200bta',
    'run\u202etxt.hta',
    'run.ht\u00adA',
    'a.{3050f4d8-98b5-11cf-bb82-00aa00bdce0b}',
    `run.bat\t${'x'.repeat(900)}.txt`,
    'invoice.pdf.js',
    'run.hta\u2028.txt',
  ])('%j', (name) => {
    for (const content of ['hello', '\x89PNG\r\n\x1a\n', '%PDF-1.4', '<html>'])
      expect(groupOf(content, 'text/plain', name)).toBe('script');
  });

  test.each([
    'Node.js in practice.pdf',
    'Offer of example.com 2024.pdf',
    'Screenshot 10.02.33\u202fAM.pdf',
    '100% sure.pdf',
    'v1.2 (final).pdf',
  ])('an ordinary name is left alone: %j', (name) => expect(groupOf('%PDF-1.4', 'application/pdf', name)).toBe('pdf'));
});

describe('an empty file is judged by its name and type', () => {
  test.each([
    ['application/octet-stream', 'a.exe', 'executable'],
    ['application/octet-stream', 'a.hta', 'script'],
    ['application/hta', '', 'script'],
    ['application/octet-stream', 'a.lnk', 'other'],
    ['application/octet-stream', 'a.bin', 'other'],
    ['application/pdf', 'a.pdf', 'pdf'],
    ['application/octet-stream', 'a.PDF', 'pdf'],
    ['application/pdf', 'a.xyz', 'other'],
    ['application/x-foo', 'a.pdf', 'other'],
    ['image/png', 'a.png', 'image'],
    ['image/svg+xml', 'a.png', 'other'],
    ['application/msword', 'a.doc', 'office'],
    ['text/plain', 'a.txt', 'text'],
    ['text/html', 'a.html', 'html'],
    ['text/html', 'a.hta', 'script'],
  ])('%s %j is %s', (type, name, group) => expect(groupOf('', type, ...[name].filter(Boolean))).toBe(group));

  test('an empty body is a body', () => {
    const body = (declaredType: string) => identifyFile(bytes(''), { untrustedNames: [], declaredType, role: 'body' });
    expect(body('text/plain').typeGroup).toBe('text');
    expect(body('text/html').typeGroup).toBe('html');
  });
});

test('a bare file is decided by its name and its bytes', () => {
  const file = (content: string, name: string) =>
    identifyFile(bytes(content), { untrustedNames: [name], declaredType: '', role: 'file' }).typeGroup;
  expect(file('hello', 'a.txt')).toBe('text');
  expect(file('hello', 'README')).toBe('text');
  expect(file('hello', 'a.cfg')).toBe('script');
  expect(file('<p>x', 'a.html')).toBe('html');
  expect(file('<html><p>x', 'a')).toBe('html');
  expect(file('hello', 'a.hta')).toBe('script');
});
