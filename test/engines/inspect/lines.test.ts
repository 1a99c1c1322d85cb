/** Texts, tables, calendar entries and messages as the second look sees them: what acts in them, and the words that people see. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, type FileType, secondLookOf } from '../../../lib/formats/file-types.ts';

const lines = (...text: readonly string[]) => text.join('\r\n');

async function look(output: string | Uint8Array, type: FileType, original: string | Uint8Array = output) {
  const described = describeType(type);
  const [before, after] = [original, output].map((bytes) => ({ bytes: Buffer.from(bytes), type: described }));
  if (before === undefined || after === undefined) throw new Error('two files');
  const found = await inspectOutput(before, after, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
  return { ...found, ids: found.leftovers.map(({ id }) => id) };
}
/** How many words people see. */
const wordsOf = async (text: string | Uint8Array, type: FileType) => (await look(text, type)).words?.before;

describe('a text', () => {
  const TEXT: FileType = 'text/plain';
  test('may have tabs, line ends, page feeds and the escapes of charsets', async () => {
    expect((await look('a\tb\nc\rd\x0be\x0cf\x1b$Bg', TEXT)).ids).toEqual([]);
  });
  test('has words, and neither pages nor pictures nor files', async () => {
    const { words, units, pictures, members, shape } = await look('one', TEXT);
    expect({ words, units, pictures, members, shape }).toEqual({
      words: { before: 1, kept: 1, after: 1 },
      units: null,
      pictures: null,
      members: null,
      shape: null,
    });
  });
  test.each(['\x00', '\x01', '\x08', '\x0e', '\x1a', '\x1c', '\x1f', '\x7f'])('may not have %j', async (sign) => {
    expect((await look(`abcd${sign}`, TEXT)).leftovers).toEqual([{ id: 'text-binary', where: 'character 4' }]);
  });
  test.each([
    ['UTF-16, little end first', Buffer.from('\ufeffone two', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('one two', 'utf16le')],
    ['UTF-16, big end first', Buffer.from('\ufeffone two', 'utf16le').swap16()],
    ['UTF-16, big end first, without a mark', Buffer.from('one two', 'utf16le').swap16()],
    ['UTF-8', Buffer.from('\ufeffone two')],
  ])('in %s is read', async (_, bytes) => {
    expect(await look(bytes, TEXT)).toMatchObject({ ids: [], words: { before: 2, kept: 2, after: 2 } });
  });

  test.each([
    ['one two', 2],
    ['one, two!three-four', 4],
    ['a1 b2', 2],
    ['', 0],
    ['  ', 0],
    ['слово два', 2],
    ['日本語 テキスト', 2],
    ['“quoted” – dash…', 2],
  ])('%j has %i words', async (text, count) => expect(await wordsOf(text, TEXT)).toBe(count));

  test.each([
    ['one two three', 'three two one', 3],
    ['one one two', 'one two', 2],
    ['one two', 'one one one', 1],
    ['one', 'One', 0],
    ['слово', 'слова', 0],
    ['one two', '', 0],
  ])('of %j is kept in %j: %i words', async (before, after, kept) => {
    expect((await look(after, TEXT, before)).words?.kept).toBe(kept);
  });
});

describe('a table', () => {
  const TABLE: FileType = 'text/csv';
  test.each([
    '=1+1',
    'a,=SUM(A1)',
    'a;=A1',
    'a\t=A1',
    'a|=A1',
    'a\n=A1',
    '"=A1"',
    '" =A1"',
    '\u00a0=A1',
    '＝A1',
    '= A1',
    '=-1',
    '=(1)',
    "='a'!b",
    '=@a',
    '=$A$1',
    '=.5',
    '=[a]b',
    '={1}',
    '=+1',
    "+cmd|' /c a'!b",
    '-cmd(a)',
    '@sum(a)',
    '＋a|b',
    '－a|b',
    '＠a(b',
    '@a!b',
    '-a_b.c ("',
  ])('with a cell that calculates is a finding: %j', async (text) => {
    expect((await look(text, TABLE)).ids).toEqual(['csv-formula']);
  });
  test.each(['a=b', '-1', '+49 30 1', '@ann', '- item', '=', '==', '-a', 'a,b', '"a, -5"', "'=A1"])(
    'with another is none: %j',
    async (text) => {
      expect((await look(text, TABLE)).ids).toEqual([]);
    },
  );
  test('says where', async () => {
    expect((await look('a,=A1', TABLE)).leftovers).toEqual([{ id: 'csv-formula', where: 'character 1' }]);
  });
  test.each([
    ['one,two\nthree', 3],
    ['one,=two+three', 1],
    ['=one("two;\nthree")\nfour five', 2],
    ['-one two\nthree', 1],
  ])('%j has %i words that are not calculated', async (text, count) => expect(await wordsOf(text, TABLE)).toBe(count));
});

describe('a calendar entry', () => {
  const CALENDAR: FileType = 'text/calendar';
  const entry = (...properties: readonly string[]) =>
    lines('BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...properties, 'END:VEVENT', 'END:VCALENDAR', '');

  test.each([
    ['ATTACH:https://a.example/', 'ics-attachment'],
    ['a.ATTACH;X=y:x', 'ics-attachment'],
    ['X-ALT-DESC;FMTTYPE=text/html:<b>', 'ics-html'],
    ['URL:file:///c:/a.exe', 'ics-unsafe-link'],
    ['URL:fi\r\n le:///c:/a.exe', 'ics-unsafe-link'],
    ['CONFERENCE:ldap://a.example/', 'ics-unsafe-link'],
    ['PHOTO:https://a.example/a.png', 'ics-remote-picture'],
    ['LOGO:\\\\a.example\\a.png', 'ics-remote-picture'],
    ['PHOTO://a.example/a.png', 'ics-remote-picture'],
    ['PHOTO:data:text/html,x', 'ics-remote-picture'],
    ['ACTION:PROCEDURE', 'ics-alarm'],
    ['ACTION: email ', 'ics-alarm'],
    ['X-A:file:///a', 'ics-unsafe-link'],
    ['X-A:"ms-word:a', 'ics-unsafe-link'],
    ['X-A:\\\\a\\b', 'ics-unsafe-link'],
    ['X-A://a/b', 'ics-unsafe-link'],
    ['ORGANIZER;DIR="https://a.example/":mailto:a@b.example', 'ics-unsafe-link'],
    ['SUMMARY;ALTREP="https://a.example/":x', 'ics-unsafe-link'],
    ['SUMMARY;X-B="mailto:a@b.example","file:///a":x', 'ics-unsafe-link'],
    ['SUMMARY;X-B=a,\\\\b\\c:x', 'ics-unsafe-link'],
  ])('with %j is %s', async (property, id) =>
    expect(new Set((await look(entry(property), CALENDAR)).ids)).toEqual(new Set([id])),
  );

  test.each([
    'URL:https://a.example/',
    'URL:#a',
    'ACTION:DISPLAY',
    'PHOTO:data:image/png;base64,AAAA',
    'PHOTO;ENCODING=b:AAAA',
    'SUMMARY:file:///a',
    'DESCRIPTION:\\\\a\\b',
    'X-A:mailto:a@b.example',
    'X-A:tel:1',
    'X-A:https://a.example',
    'X-A:urn:uuid:1',
    'X-A:geo:1',
    'X-A:12:30',
    'X-A: a: b',
    'ORGANIZER;CN="file:///a":mailto:a@b.example',
    'DTSTART;TZID=a:20261120',
    'ATTENDEE;SORT-AS="x:y":sip:a',
  ])('with %j is none', async (property) => expect((await look(entry(property), CALENDAR)).ids).toEqual([]));

  test.each(
    'CONTACT CATEGORIES RESOURCES NAME X-WR-CALNAME NICKNAME ADR LABEL TITLE ROLE ORG PRODID MAILER UID TZID CLASS STATUS'.split(
      ' ',
    ),
  )('shows %s and opens nothing for it', async (property) => {
    expect((await look(entry(`${property}:file:///a`), CALENDAR)).ids).toEqual([]);
  });

  test.each([
    [['SUMMARY:one two', 'DESCRIPTION;LANGUAGE=en:three\\nfour'], 4],
    [['X-A:one two', 'UID:three'], 0],
    [['SUMMARY:one', ' two', 'LOCATION:a "b: c" d'], 5],
    [['SUMMARY;ENCODING=QUOTED-PRINTABLE:one', 'NOTE;ENCODING=B:two'], 0],
    [['SUMMARY;X="a:b;c":one'], 1],
    [['item1.NOTE:one'], 1],
    [['BEGIN:VALARM', 'DESCRIPTION:one', 'END:VALARM', 'DESCRIPTION:two three'], 2],
  ])('%j shows %i words', async (properties, count) => {
    expect(await wordsOf(entry(...properties), CALENDAR)).toBe(count);
  });
});

describe('a message', () => {
  const MAIL: FileType = 'message/rfc822';
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const mixed = (...parts: readonly string[]) =>
    lines('Content-Type: multipart/mixed; boundary="b"', '', ...parts.flatMap((part) => ['--b', part]), '--b--', '');

  test.each<[string, number]>([
    [lines('Subject: x', '', 'one two'), 2],
    ['Subject: x\n\none two', 2],
    [lines('Content-Type: text/html', '', '<p title="a">one <b>two</b></p>'), 2],
    [lines('Content-Transfer-Encoding: base64', '', base64('one two three')), 3],
    [lines('Content-Transfer-Encoding: Quoted-Printable', '', 'o=6Ee tw=', 'o'), 2],
    [
      lines(
        'Content-Type: text/plain; charset=utf-16le',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from('one two', 'utf16le').toString('base64'),
      ),
      2,
    ],
    [lines('Content-Type: text/plain; charset=nobody', '', 'one two'), 2],
    [mixed(lines('Content-Type: text/plain', '', 'one'), lines('', 'two three')), 3],
    [mixed(lines('Content-Type: message/rfc822', '', 'Subject: x', '', 'one two')), 2],
    [lines('Content-Type: multipart/mixed; boundary=b', '', 'note', '--b', '', 'one', '--b--', 'end'), 1],
    [lines('Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'one', 'a --b two'), 4],
    [lines('Content-Type:', ' text/html', '', '<p>one</p>'), 1],
  ])('%j shows %i words', async (text, count) => {
    const { words, members } = await look(text, MAIL);
    expect(words?.before).toBe(count);
    expect(members).toEqual({ before: 0, after: 0 });
  });

  test.each([
    ['Content-Disposition: attachment', 1],
    ['Content-Disposition: attachment; filename="a.txt"', 1],
    ['Content-Type: text/plain; name=a.txt', 1],
    ['Content-Type: application/pdf', 1],
    ['Content-Disposition: inline', 0],
  ])('with a part of %s has %i files, whose words are not its own', async (field, count) => {
    const { members, words } = await look(mixed(lines(field, '', 'one')), MAIL);
    expect(members?.after).toBe(count);
    expect(words?.before).toBe(1 - count);
  });

  test.each([
    'message/external-body',
    'message/partial',
    'message/http',
    'application/x-msdownload',
    'application/hta',
    'application/javascript',
    'application/x-mso',
    'application/x-ms-shortcut',
    'application/vnd.ms-cab-compressed',
    'text/javascript',
    'TEXT/VBSCRIPT',
  ])('with a part of the type %s is a finding', async (type) => {
    expect((await look(mixed(lines(`Content-Type: ${type}`, '', 'one')), MAIL)).ids).toContain('mail-live-part');
  });
  test.each(['text/x-javascript2', 'application/xhta'])('with a part of the type %s is none', async (type) => {
    expect((await look(mixed(lines(`Content-Type: ${type}`, '', 'one')), MAIL)).ids).toEqual([]);
  });

  test('has its pages searched', async () => {
    expect((await look(mixed(lines('Content-Type: text/html', '', '<script>a</script>')), MAIL)).ids).toEqual([
      'html-script',
    ]);
  });

  test('is read thirty levels deep, and one more is a finding', async () => {
    const nested = (levels: number) => `${'Content-Type: message/rfc822\r\n\r\n'.repeat(levels)}Subject: x\r\n\r\none`;
    expect(await look(nested(30), MAIL)).toMatchObject({ ids: [], words: { before: 1 } });
    expect(await look(nested(31), MAIL)).toMatchObject({ ids: ['mail-nesting'], words: { before: 0 } });
  });
});
