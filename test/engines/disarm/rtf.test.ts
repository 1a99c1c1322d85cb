import { describe, expect, test } from 'vitest';
import { buildPng } from '../../fixtures/build-image.ts';
import { disarmed, disarmReport, refusalCode } from './run-disarm.ts';

const HEAD = '{\\rtf1\\ansi\\ansicpg1252\\uc1';
const document = (body: string) =>
  `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\fswiss Arial;}}\\pard KEEP before\\par ${body}\\pard KEEP after\\par}`;
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const hexOf = (text: string) => Buffer.from(text, 'latin1').toString('hex');

/** The disarmed document with `body`. Checks everything that must hold for any output. */
async function run(body: string) {
  const once = await disarmed(latin1(document(body)), 'letter.rtf');
  expect(once).toMatchObject({ outcome: 'disarmed', extension: 'rtf' });
  expect(once.text).toContain('KEEP before');
  expect(once.text).toContain('KEEP after');
  expect((await disarmed(once.bytes, 'letter.rtf')).outcome).toBe('already_safe');
  return once;
}

describe('a comment keeps when it was made', () => {
  const comment = (time: string) =>
    `word{\\*\\atnid AB}{\\*\\atnauthor Ada}\\chatn{\\*\\annotation{\\*\\atnref 1}${time}\\pard note\\par}`;

  test.each([
    ['as one number', '{\\*\\atndate 1476325896}', '{\\*\\atndate 1476325896}'],
    ['as a negative number', '{\\*\\atndate -1671157752}', '{\\*\\atndate -1671157752}'],
    ['in words', '{\\*\\atntime\\yr2026\\mo11\\dy27\\hr9\\min5}', '{\\*\\atntime\\yr2026\\mo11\\dy27\\hr9\\min5}'],
    [
      'and nothing beside it',
      '{\\*\\atndate 14x{\\footnote THREAT}{\\field{\\*\\fldinst DDE THREAT}}\\u65?76}',
      '{\\*\\atndate 1476}',
    ],
  ])('%s', async (_what, time, kept) => {
    const { text } = await run(comment(time));
    expect(text).toContain(kept);
    expect(text).toContain('note');
    expect(text).not.toMatch(/THREAT|Ada/);
  });
});

describe('removed from a rich text document', () => {
  const payload = hexOf('THREAT payload');
  test.each<[string, string, string]>([
    [
      'an object with its data',
      `{\\object\\objemb\\objupdate{\\*\\objclass THREAT}{\\*\\objdata ${payload}}}`,
      'embedded object',
    ],
    [
      'a linked object',
      '{\\object\\objautlink\\objlink{\\*\\objalias THREAT}{\\*\\objname THREAT}}',
      'embedded object',
    ],
    ['an HTML object', '{\\object\\objhtml{\\*\\objdata 00THREAT}}', 'embedded object'],
    ['object data outside of an object', `{\\*\\objdata ${payload}THREAT}`, 'embedded object'],
    ['object data in capitals', `{\\OBJDATA ${payload}THREAT}`, 'embedded object'],
    ['object data behind formatting', `{\\b\\objdata ${payload}THREAT}`, 'embedded object'],
    ['object data behind another starred word', `{\\*\\foo\\objdata ${payload}THREAT}`, 'unknown destination'],
    [
      'object data obfuscated by groups and escapes',
      "{\\object{\\*\\objdata 01{\\*\\foo THREAT}0{}5{\\bin0 }\\'0b THREAT}}",
      'embedded object',
    ],
    ['a template', '{\\*\\template http://example.invalid/THREAT.dot}', 'external template'],
    ['a data store', `{\\*\\datastore ${payload}THREAT}`, 'data store'],
    ['custom XML', '{\\*\\xmlopen\\xmlns1{\\xmlname THREAT}}', 'custom XML data'],
    ['a mail merge', '{\\*\\mailmerge{\\mmconnectstr THREAT}}', 'mail merge source'],
    ['a file table', '{\\*\\filetbl{\\file\\fid0 THREAT}}', 'linked file'],
    [
      'an embedded font',
      `{\\fonttbl{\\f1{\\*\\fontemb\\fttruetype{\\*\\fontfile THREAT}${payload}}Name;}}`,
      'embedded font',
    ],
    ['the name of the program', '{\\*\\generator THREAT}', 'document properties'],
    ['a document variable', '{\\*\\docvar {name}{THREAT}}', 'document variable'],
    [
      'user properties',
      '{\\*\\userprops{\\propname THREAT}\\proptype30{\\staticval THREAT}{\\linkval THREAT}}',
      'document properties',
    ],
    ['a password hash', '{\\*\\passwordhash THREAT}', 'password hash'],
    ['a base for links', '{\\info{\\author THREAT}{\\hlinkbase http://THREAT/}}', 'document properties'],
    ['a next file', '{\\*\\nextfile THREAT}', 'linked file'],
    ['encapsulated HTML', '{\\*\\htmltag84 <script>THREAT</script>}', 'encapsulated HTML'],
    ['drawing properties', '{\\shp{\\*\\shpinst{\\sp{\\sn pFragments}{\\sv 1;THREAT}}}}', 'drawing property'],
    ['an unknown destination', '{\\*\\qqqq THREAT{ nested THREAT}}', 'unknown destination'],
    ['a destination whose word is too long', `{\\*\\${'q'.repeat(40)} THREAT}`, 'unknown destination'],
    ['raw bytes', '\\bin12 THREAT}}}{{{ ', 'raw binary data'],
    ['a metafile', `{\\pict\\wmetafile8 ${hexOf('\x01\x00\x09\x00THREAT')}}`, 'metafile picture'],
    ['an enhanced metafile', `{\\*\\shppict{\\pict\\emfblip ${hexOf('\x01\x00\x00\x00THREAT')}}}`, 'metafile picture'],
    ['a bitmap', `{\\pict\\dibitmap0 ${hexOf('(\x00\x00\x00THREAT')}}`, 'metafile picture'],
    ['a program that calls itself a picture', `{\\pict\\pngblip ${hexOf('MZ THREAT')}}`, 'disguised content'],
    [
      'form fields',
      '{\\field{\\*\\fldinst FORMTEXT {\\*\\formfield{\\*\\ffentrymcr THREAT}}}{\\fldrslt x}}',
      'form field code',
    ],
  ])('%s', async (_what, body, kind) => {
    const { text, kinds } = await run(body);
    expect(text).not.toContain('THREAT');
    expect(text).not.toContain(payload);
    expect(text).not.toMatch(/\\(obj|bin|template|datastore|sp\b|sv\b|sn\b|wmetafile|emfblip|dibitmap)/);
    expect(kinds).toContain(kind);
  });

  test('data before and behind the document', async () => {
    const once = await disarmed(latin1(`  {\\rtf1 KEEP}\r\n THREAT`), 'a.rtf');
    expect(once.text).toBe(`${HEAD} KEEP}`);
    expect(once.kinds).toEqual(['data before the document', 'appended data']);
  });

  test('a text behind a brace too many is no text of the document, and no reason to refuse it', async () => {
    const rest = 'these words stand behind the end and no program shows them to anybody who opens it';
    const once = await disarmed(`{\\rtf1 {\\headerl Page}} KEEP} ${rest}}`, 'a.rtf');
    expect(once.text).toBe(`${HEAD}{\\headerl Page}}`);
    expect(once.kinds).toEqual(['appended data']);
  });

  test.each(['{\\rt KEEP}', '{\\rtf KEEP}', '{\\rtZZZ1 KEEP}', '{\\rtf99999999999 KEEP}'])(
    'a header such as %s',
    async (bytes) => {
      expect((await disarmed(bytes, 'invoice.doc')).text).toBe(`${HEAD} KEEP}`);
    },
  );

  test('numbers that no reader can hold', async () => {
    const { text, kinds } = await run('\\fs99999999999 text \\listoverridecount25 {\\*\\listtable{\\list\\listid1}}');
    expect(text).not.toMatch(/99999999999|listoverridecount25/);
    expect(kinds).toContain('number out of range');
  });
});

describe('fields', () => {
  const field = (code: string, result = 'KEEP result') => `{\\field{\\*\\fldinst ${code}}{\\fldrslt ${result}}}`;

  test.each([
    ['DDEAUTO c:\\\\\\\\cmd.exe', 'DDE field'],
    ['{D}{DE}{AUTO} THREAT', 'DDE field'],
    ["\\'44\\'44E THREAT", 'DDE field'],
    ['\\u68?\\u68?\\u69? THREAT', 'DDE field'],
    ['INCLUDEPICTURE "http://THREAT/a.png"', 'field code'],
    ['HYPERLINK "file://THREAT/a.exe"', 'unsafe link'],
    ['HYPERLINK {\\field{\\*\\fldinst MERGEFIELD u}{\\fldrslt THREAT}}', 'unsafe link'],
  ])('lose the code %s and keep the result', async (code, kind) => {
    const { text, kinds } = await run(field(code));
    expect(text).toContain('{KEEP result}');
    expect(text).not.toMatch(/THREAT|fldinst|cmd\.exe/);
    expect(kinds).toContain(kind);
  });

  test.each(['PAGE', 'HYPERLINK "https://example.com/a"', 'HYPERLINK \\\\l "chapter"', 'TOC \\\\o "1-3"'])(
    'keep the code %s',
    async (code) => {
      expect((await run(field(code))).text).toContain(`{\\field{\\*\\fldinst ${code}}{\\fldrslt KEEP result}}`);
    },
  );

  test('without a code only leave their result', async () => {
    expect((await run(field(''))).text).toContain('{KEEP result}');
  });
});

describe('what stays', () => {
  test('is an already disarmed document, byte for byte', async () => {
    const bytes = latin1(`${HEAD}\\deff0{\\fonttbl{\\f0\\fswiss Arial;}}\\pard text\\par\n}`);
    expect(await disarmed(bytes, 'a.rtf')).toMatchObject({ outcome: 'already_safe', kinds: [] });
  });

  test('is a list as macOS writes it, with tabs of one byte', async () => {
    const item = (word: string) => `{\\listtext\t\\uc0\\u8226 \t}${word}\\\n`;
    const { text } = await run(`\\pard\\tx220\\tx720\\li720\\fi-720\n\\ls1\\ilvl0\n${item('one')}${item('two')}`);
    expect(text).toContain('{\\listtext\\tab\\u8226?\\tab}one');
  });

  test('is no group around a control character, which is left out', async () => {
    const { text } = await run(
      '{\\*\\listtable{\\list{\\listlevel{\\leveltext{\\u1 ?}{\\u8226 ?}}{\\levelnumbers ;}}\\listid1}}\\pard a',
    );
    expect(text).toContain('{\\leveltext{\\u8226?}}');
  });

  test('is the result of an object', async () => {
    expect((await run('{\\object{\\*\\objdata 00}{\\result \\pard KEEP shown}}')).text).toContain(
      '{\\pard KEEP shown}',
    );
  });

  test.each([
    ["caf\\'e9", 'caf\\u233?'],
    ["{\\f1 \\'cf\\'f0\\'e8}", '\\u1055?\\u1088?\\u1080?'],
    ["{\\f2 \\'83\\'65}", '\\u12486?'],
    ["\\uc2\\u8364\\'80\\'80 x", '\\u8364? x'],
    ['\\uc0\\u8364 x', '\\u8364?x'],
    ['{\\uc3\\u26085 abc}d', '\\u26085?}d'],
    ['{\\uc3\\u945 ab}word', '\\u945?}word'],
    ["\\u945a{\\uc2\\u945\\'E8 }\\u946b", '\\u945?{\\u945?}\\u946?'],
    ["foo\\'0dbar\\'0d\\'0abaz\\'09end", 'foo\\par\nbar\\par\n\\par\nbaz\\tab end'],
    ["\\u945\\'0dx", '\\u945?x'],
    ['\\u-10179?\\u-8704?', '\\u-10179?\\u-8704?'],
    ['a\\{b\\}\\\\c\\~d\\_e', 'a\\{b\\}\\\\c\\~d\\_e'],
    ["{\\f3 \\'b7}", "\\f3\\'b7}"],
    ['{\\upr{ansi}{\\*\\ud{KEEP \\u937 O}}}', 'KEEP \\u937?'],
    ['{\\shp{\\*\\shpinst{\\sp{\\sn a}{\\sv 1}}{\\shptxt \\pard KEEP box\\par}}{\\shprslt THREAT}}', 'KEEP box'],
  ])('is the text of %s', async (body, expected) => {
    const fonts = '{\\fonttbl{\\f1\\fcharset204 A;}{\\f2\\fcharset128 B;}{\\f3\\fcharset2 Symbol;}}';
    expect((await run(`${fonts}${body}`)).text).toContain(expected);
  });

  test.each([
    '{\\colortbl;\\red255\\green0\\blue12;}',
    '{\\stylesheet{\\s1\\b\\fs32 Heading 1;}{\\*\\cs10\\additive Character;}}',
    "{\\*\\listtable{\\list\\listtemplateid1{\\listlevel\\levelnfc0{\\leveltext\\'02\\'00.;}{\\levelnumbers\\'01;}\\fi-360}\\listid7}}",
    '{\\*\\listoverridetable{\\listoverride\\listid7\\listoverridecount0\\ls1}}',
    '\\trowd\\trgaph70\\cellx2000\\cellx4000\\intbl one\\cell two\\cell\\row\n',
    '{\\footnote\\pard note}',
    '{\\header\\pard head}',
    '{\\*\\bkmkstart here}{\\*\\bkmkend here}',
  ])('is %s', async (markup) => {
    expect((await run(markup)).text).toContain(markup);
  });

  test('is a picture, encoded anew, where the document shows it', async () => {
    const hex = Buffer.from(buildPng({ comment: 'secret', appended: latin1('PK') })).toString('hex');
    const { text, kinds } = await run(`{\\*\\shppict{\\pict{\\*\\picprop}\\picwgoal300\\pngblip ${hex}}}`);
    expect(text).toMatch(/\{\{\\pict\\pngblip\\picwgoal300\n89504e470d0a1a0a/);
    expect(text).not.toContain(hexOf('secret'));
    expect(kinds).toContain('metadata');
  });

  // The properties of pictures in the specification ("Pictures"). None of them starts a destination, which would swallow the picture.
  const PICTURE_PROPERTIES = [
    'picscalex100 picscaley100 picscaled piccropt0 piccropb0 piccropr0 piccropl0 picw1693 pich1270 picwgoal960 pichgoal720',
    'defshp picbmp picbpp4 wbmbitspixel1 wbmplanes1 wbmwidthbytes2 bliptag-1684275392 blipupi96',
  ];
  test.each(PICTURE_PROPERTIES.join(' ').split(' '))('is a picture with the property %s', async (property) => {
    const uid = '{\\*\\blipuid 0123456789abcdef0123456789abcdef}';
    const picture = `{\\pict\\pngblip\\${property}${uid}${Buffer.from(buildPng()).toString('hex')}}`;
    expect((await run(`{\\*\\shppict${picture}}{\\nonshppict{\\pict\\wmetafile8 0100}}`)).text).toContain('89504e47');
  });

  test('is a floating picture and one of raw bytes', async () => {
    const png = Buffer.from(buildPng());
    const shape = `{\\shp{\\*\\shpinst{\\sp{\\sn pib}{\\sv {\\pict\\pngblip ${png.toString('hex')}}}}}}`;
    const raw = `{\\pict\\pngblip\\bin${png.length} ${png.toString('latin1')}}`;
    const { bytes } = await disarmed(latin1(document(shape + raw)), 'a.rtf');
    expect(
      Buffer.from(bytes)
        .toString('latin1')
        .match(/\\pict\\pngblip/g),
    ).toHaveLength(2);
    expect((await disarmed(bytes, 'a.rtf')).outcome).toBe('already_safe');
  });
});

describe('limits', () => {
  test('refuse groups nested too deep, and skip them inside content that is left out', async () => {
    const deep = `${'{'.repeat(5_000)}x${'}'.repeat(5_000)}`;
    expect(await refusalCode(document(deep), 'a.rtf')).toBe('oversize');
    expect((await run(`{\\*\\objdata ${deep}}`)).text).not.toContain('x}');
  });

  test('give the same bytes every time', async () => {
    const [one, two] = [await disarmReport(document('\\b x'), 'a.rtf'), await disarmReport(document('\\b x'), 'a.rtf')];
    expect(one).toEqual(two);
  });

  test('close a document that is cut off', async () => {
    expect((await disarmed('{\\rtf1 KEEP {\\b more', 'a.rtf')).text).toBe(`${HEAD} KEEP {\\b more}}`);
  });
});

test('a document of nothing but a drawing of Word 95 is an empty document, and says what went', async () => {
  const drawing =
    '{\\*\\do\\dobxpage\\dobypara\\dodhgt8192\\dpline\\dpptx0\\dppty0\\dpx10\\dpy10\\dpxsize20\\dpysize20}';
  const once = await disarmed(latin1(`{\\rtf1 ${drawing}}`), 'letter.rtf');
  expect(once).toMatchObject({ outcome: 'disarmed', extension: 'rtf', text: `${HEAD}}`, kinds: ['drawing property'] });
  expect((await disarmed(once.bytes, 'letter.rtf')).outcome).toBe('already_safe');
});

describe('words that the gate counts', () => {
  test('in bytes of a code page of two bytes a character, beside Latin letters', async () => {
    // Word writes the numbers of a list so: a Chinese sign in bytes, and a letter behind it.
    const number = "\\dbch\\f1\\'ab\\'65\\loch\\f0 a\\dbch\\f1\\'b8\\'6d\\loch\\f0 b\\tab ";
    const body = `{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset136 PMingLiU;}}${number.repeat(12)}`;
    const { quality } = await disarmed(`{\\rtf1\\ansi\\ansicpg950\\uc2${body}}`, 'a.rtf');
    expect(quality.words).toEqual({ before: 24, kept: 24 });
  });

  test('of a footnote whose group is marked as one that may be skipped', async () => {
    const body = '{\\super 1{\\*\\footnote 1\\pard\\plain\\tab A}}A\\par';
    expect((await disarmed(`{\\rtf1\\ansi ${body}}`, 'a.rtf')).quality.words).toMatchObject({ before: 2, kept: 2 });
  });
});
