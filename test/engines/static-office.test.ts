import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { analyseFile } from '../../lib/engines/static/analyse-file.ts';
import { decompressVba } from '../../lib/engines/static/office/vba-compression.ts';
import { compoundFile, vbaCompress, vbaProject, type WordFixture, wordDocument } from './office-fixture.ts';
import { zipOf } from './zip-fixture.ts';

async function analyse(bytes: Uint8Array, untrustedName: string): Promise<string> {
  const report = await analyseFile({ bytes, untrustedName, password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') return `failed:${report.failure.code}`;
  return [report.level, ...report.findings.map(({ id }) => id).sort()].join(' ');
}

const instruction = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const boundary = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const field = (...pieces: string[]) => boundary('begin') + pieces.map(instruction).join('') + boundary('end');

describe('a Word document', () => {
  test.each<[string, WordFixture, string]>([
    ['without anything special is benign', {}, 'benign'],
    ['with a link to the web is benign', { relationships: [['hyperlink', 'https://example.org/', true]] }, 'benign'],
    ['with a page number is benign', { body: field(' PAGE ') }, 'benign'],
    [
      'with an external template',
      { relationships: [['attachedTemplate', 'http://a.invalid/t.dotm', true]] },
      'suspicious office-external-template',
    ],
    ...[
      'file:///C:\\\\Users\\\\pat\\\\Templates\\\\letter.dotx',
      'Macintosh%20HD:Users:pat:Templates:letter.dotx',
      'Normal.dotm',
    ].map((path): [string, WordFixture, string] => [
      `with the template of its writer at ${path}`,
      { relationships: [['attachedTemplate', path, true]] },
      'benign',
    ]),
    ...[
      '\\\\\\\\a.invalid\\\\t.dotm',
      'file://a.invalid/t.dotm',
      'file:////10.0.0.1/t.dotm',
      'mhtml:http://a.invalid/t',
    ].map((path): [string, WordFixture, string] => [
      `with a template that is loaded from ${path}`,
      { relationships: [['attachedTemplate', path, true]] },
      'suspicious office-external-template',
    ]),
    [
      'with the data of a program for citations',
      { body: field(' ADDIN ZOTERO_ITEM CSL_CITATION {&quot;id&quot;:1} ') },
      'benign',
    ],
    ...['playFrom(0.0)', 'togglePause', 'stop'].map((command): [string, WordFixture, string] => [
      `with a film that an animation tells to ${command}`,
      { body: `<p:cmd type="call" cmd="${command}"/>` },
      'benign',
    ]),
    ...['type="verb" cmd="0"', 'type="call" cmd="playFrom(x)"', 'type="call" cmd="stop" verb="1"'].map(
      (command): [string, WordFixture, string] => [
        `with an object that an animation gives the command ${command}`,
        { body: `<p:cmd ${command}/>` },
        'suspicious office-action',
      ],
    ),
    ['with a jump to a bookmark', { body: field(' GOTOBUTTON chapter Chapter ') }, 'benign'],
    [
      'with an external picture',
      { relationships: [['image', 'http://a.invalid/p.png', true]] },
      'suspicious office-external-content',
    ],
    [
      'with a link to a file server',
      { relationships: [['hyperlink', 'file://server.example/x', true]] },
      'suspicious office-unsafe-link',
    ],
    [
      'with a link to a file server of the same network',
      { relationships: [['hyperlink', 'file://server/x', true]] },
      'unknown office-file-link',
    ],
    [
      'with a link that hides its scheme',
      { relationships: [['hyperlink', 'java\u200bscript:x', true]] },
      'suspicious office-unsafe-link',
    ],
    ['with a DDE field split over runs', { body: field(' DD', 'EAUTO ', 'c:\\\\x') }, 'suspicious office-dde'],
    ['with a DDE field in a simple field', { body: '<w:fldSimple w:instr=" DDE x y "/>' }, 'suspicious office-dde'],
    [
      'with a field that includes',
      { body: field(' INCLUDEPICTURE "http://a.invalid/x" ') },
      'suspicious office-active-field',
    ],
    ['with a DDE field under another prefix', { body: '<x:fldSimple x:instr="DDE x y"/>' }, 'suspicious office-dde'],
    ['with a DDE field cut by comments', { body: field(' D<!-- -->D<![CDATA[E]]> x y ') }, 'suspicious office-dde'],
    [
      'with its fields in a part of another name',
      { parts: { 'a/b.bin': `<a>${field(' DDE x y ')}</a>` } },
      'suspicious office-dde',
    ],
    ['with a relationship nobody knows is unknown', { relationships: [['newThing', 'x.bin', false]] }, 'unknown'],
    [
      'with an imported page',
      { relationships: [['aFChunk', 'x.html', false]] },
      'suspicious office-alternative-content',
    ],
    [
      'with an embedded program',
      { parts: { 'word/embeddings/a.bin': `MZ${'\0'.repeat(80)}` } },
      'malicious office-embedded-program',
    ],
  ])('%s', async (_, fixture, expected) => {
    expect(await analyse(wordDocument(fixture), 'a.docx')).toBe(expected);
  });

  test('with a macro is suspicious', async () => {
    const bytes = wordDocument({
      relationships: [['vbaProject', 'vbaProject.bin', false]],
      parts: { 'word/vbaProject.bin': vbaProject('Sub Total()\r\nEnd Sub') },
    });
    expect(await analyse(bytes, 'a.docm')).toBe('suspicious office-macro');
  });

  test('with a macro that runs a program by itself is malicious', async () => {
    const parts = { 'word/vbaProject.bin': vbaProject('Sub AutoOpen()\r\nShell "calc"\r\nEnd Sub') };
    expect(await analyse(wordDocument({ parts }), 'a.docm')).toBe(
      'malicious code-auto-run code-executes macro-acts-by-itself office-macro vba-automatic-run',
    );
  });

  test('with a macro under the name of a picture is found out', async () => {
    const parts = { 'word/media/image1.png': vbaProject('Sub Total()\r\nEnd Sub') };
    expect(await analyse(wordDocument({ parts }), 'a.docx')).toBe('suspicious office-macro office-macro-hidden');
  });

  test('with a document type in a part', async () => {
    const parts = { 'word/header1.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a/>' };
    expect(await analyse(wordDocument({ parts }), 'a.docx')).toBe('suspicious xml-doctype');
  });

  test('whose relationships are not XML is unreadable', async () => {
    const parts = { 'word/_rels/footer1.xml.rels': '<Relationships><broken' };
    expect(await analyse(wordDocument({ parts }), 'a.docx')).toBe('failed:unreadable');
  });
});

/** Hyperlink objects ([MS-OSHARED] 2.3.7.1). */
const uint32 = (number: number) => Buffer.from([number & 0xff, (number >> 8) & 0xff, (number >> 16) & 0xff, 0]);
const hyperlink = (flags: number, ...rest: readonly Buffer[]) =>
  Buffer.concat([Buffer.from(CLASS, 'hex'), uint32(2), uint32(flags), ...rest]);
const CLASS = 'd0c9ea79f9bace118c8200aa004ba90b';
const urlMoniker = (target: string) => {
  const text = Buffer.from(`${target}\0`, 'utf16le');
  return Buffer.concat([Buffer.from('e0c9ea79f9bace118c8200aa004ba90b', 'hex'), uint32(text.length), text]);
};
const fileMoniker = (ansi: string, unicode = '') => {
  const [path, wide] = [Buffer.from(`${ansi}\0`, 'latin1'), Buffer.from(unicode, 'utf16le')];
  const extra =
    wide.length === 0 ? [uint32(0)] : [uint32(wide.length + 6), uint32(wide.length), Buffer.from([3, 0]), wide];
  const head = [Buffer.from('0303000000000000c000000000000046', 'hex'), Buffer.alloc(2), uint32(path.length), path];
  return Buffer.concat([...head, Buffer.alloc(24), ...extra]);
};
const HYPERLINKS: readonly (readonly [what: string, object: Buffer, verdict: string])[] = [
  ['a page', hyperlink(3, urlMoniker('https://example.org/')), 'benign'],
  ['a place in the workbook', hyperlink(8, uint32(3), Buffer.from('A1\0', 'utf16le')), 'benign'],
  ['a file beside it', hyperlink(3, fileMoniker('plan.xls')), 'benign'],
  ['a file of the same network', hyperlink(3, fileMoniker('\\\\SERVER\\a.xls')), 'unknown office-file-link'],
  ['a program of the web', hyperlink(3, urlMoniker('file://evil.example/a.exe')), 'suspicious office-unsafe-link'],
  [
    'a program under a short name',
    hyperlink(3, fileMoniker('A~1.XLS', '\\\\evil.example\\a.exe')),
    'suspicious office-unsafe-link',
  ],
  ['a script', hyperlink(3, urlMoniker('javascript:alert(1)')), 'suspicious office-unsafe-link'],
  ['something that cannot be read', hyperlink(3, uint32(1)), 'unknown office-file-link'],
];

describe('a compound file', () => {
  const word = Buffer.alloc(2048);
  word.writeUInt16LE(0xa5ec, 0);
  word.writeUInt16LE(0x00c1, 2);
  const encryptedWord = Buffer.from(word);
  encryptedWord.writeUInt16LE(0x0100, 0x0a);
  const bof = Buffer.from('09080800000605000000000000000000', 'hex').subarray(0, 12);
  const record = (type: number, data: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(type, 0);
    head.writeUInt16LE(data.length, 2);
    return Buffer.concat([head, data]);
  };
  const bof5 = record(0x0809, Buffer.from('0005050000000000', 'hex'));
  // A name of Excel 5 has no byte for the width of its characters.
  const autoOpen5 = record(
    0x0018,
    Buffer.concat([Buffer.from([0, 0, 0, 9]), Buffer.alloc(10), Buffer.from('auto_open')]),
  );
  // Excel 2007 and later: hidden, a function and a procedure, with the error `#NAME?` as its formula.
  const nameOf = (name: string, formula: string) =>
    record(
      0x0018,
      Buffer.concat([
        Buffer.from([0x0b, 0, 0, name.length, formula.length / 2, ...Array.from({ length: 10 }, () => 0)]),
        Buffer.from(name),
        Buffer.from(formula, 'hex'),
      ]),
    );
  const exec5 = record(
    0x0006,
    Buffer.concat([
      Buffer.alloc(20),
      Buffer.from([10, 0, 0x17, 4]),
      Buffer.from('calc'),
      Buffer.from([0x42, 1, 0x6e, 0]),
    ]),
  );
  const sheet = (kind: number) => record(0x0085, Buffer.from([0, 0, 0, 0, 0, kind, 1, 0, 0x41]));

  test.each<[string, Record<string, Uint8Array>, string]>([
    ['of a plain document is benign', { WordDocument: word }, 'benign'],
    ['with an unknown stream is unknown', { WordDocument: word, Strange: Buffer.from('x') }, 'unknown'],
    [
      'with macros',
      { WordDocument: word, 'Macros/VBA/M': vbaCompress('Attribute VB_Name = "M"') },
      'suspicious office-macro',
    ],
    ['behind a password', { WordDocument: encryptedWord }, 'failed:encrypted'],
    [
      'that is an encrypted package',
      { EncryptedPackage: Buffer.alloc(64), EncryptionInfo: Buffer.alloc(64) },
      'failed:encrypted',
    ],
    ['of a plain workbook is benign', { Workbook: Buffer.concat([bof, sheet(0)]) }, 'benign'],
    [
      'with a function that Excel 2003 does not have is benign',
      { Workbook: Buffer.concat([bof, nameOf('_xlfn.COUNTIFS', '1c1d'), sheet(0)]) },
      'benign',
    ],
    [
      'with a procedure that is called like such a function',
      { Workbook: Buffer.concat([bof, nameOf('_xlfn.COUNTIFS', '3b00000000000000000000'), sheet(0)]) },
      'suspicious office-xlm-macro',
    ],
    [
      'with a function of its own, and bytes that look like a call, does nothing by itself',
      { Workbook: Buffer.concat([bof, nameOf('NextDay', '1c1d'), sheet(0), exec5]) },
      'suspicious office-xlm-macro xlm-dangerous-call',
    ],
    ...HYPERLINKS.map(([what, object, verdict]): [string, Record<string, Uint8Array>, string] => [
      `with a cell that links to ${what}`,
      { Workbook: Buffer.concat([bof, sheet(0), record(0x01b8, Buffer.concat([Buffer.alloc(8), object]))]) },
      verdict,
    ]),
    ...[
      ['https://example.org/', 'benign'],
      ['file://evil.example/a.doc', 'suspicious office-unsafe-link'],
      ['c:/x/setup.exe', 'suspicious office-unsafe-link'],
      ['\\\\server\\share\\a.doc', 'unknown office-file-link'],
    ].map(([target = '', verdict = '']): [string, Record<string, Uint8Array>, string] => [
      `of Word with a field that links to ${target}`,
      {
        WordDocument: Buffer.concat([
          word,
          Buffer.from(`\x13 HYPERLINK "${target}" \x14 here \x15`, target.startsWith('file') ? 'utf16le' : 'latin1'),
        ]),
      },
      verdict,
    ]),
    ...[
      ['MACROBUTTON Start here', 'unknown office-active-field'],
      ['MACROBUTTON NoMacro here', 'benign'],
      ['QUOTE 68 68 69', 'suspicious office-active-field'],
      ['INCLUDEPICTURE "x.png"', 'suspicious office-active-field'],
      ['HTMLACTIVEX', 'suspicious office-embedded-object'],
      ['PAGE', 'benign'],
      ['LINK Excel.Sheet "a.xls"', 'suspicious office-dde'],
      ['DDEAUTO "a" "b"', 'suspicious office-dde'],
      ['DDEAUTO certutil x', 'malicious dde-command dde-starts-program office-dde'],
    ].map(([field = '', verdict = '']): [string, Record<string, Uint8Array>, string] => [
      `of Word with the field ${field}`,
      { WordDocument: Buffer.concat([word, Buffer.from(`\x13 ${field} \x14 here \x15`, 'latin1')]) },
      verdict,
    ]),
    ['with a macro sheet', { Workbook: Buffer.concat([bof, sheet(1)]) }, 'suspicious office-xlm-macro'],
    ['of Excel 5 with a macro sheet', { Book: Buffer.concat([bof5, sheet(1)]) }, 'suspicious office-xlm-macro'],
    [
      'of Excel 5 with a macro that starts a program by itself',
      { Book: Buffer.concat([bof5, sheet(1), autoOpen5, exec5]) },
      'malicious office-xlm-macro xlm-acts-by-itself xlm-auto-run xlm-dangerous-call',
    ],
    ['of Excel 5 with a module', { Book: Buffer.concat([bof5, sheet(6)]) }, 'suspicious office-macro'],
    ['of Excel 5 without macros is unknown', { Book: Buffer.concat([bof5, sheet(0)]) }, 'unknown'],
    [
      'of Excel 5 beside one of Excel 97',
      { Workbook: Buffer.concat([bof, sheet(0)]), Book: Buffer.concat([bof5, sheet(1)]) },
      'suspicious office-xlm-macro',
    ],
    [
      'with a workbook behind a password',
      { Workbook: Buffer.concat([bof, record(0x002f, Buffer.alloc(6))]) },
      'failed:encrypted',
    ],
  ])('%s', async (_, streams, expected) => {
    expect(await analyse(compoundFile(streams), 'a.doc')).toBe(expected);
  });
});

describe('an OpenDocument text', () => {
  const text = (content: string, more: Record<string, string> = {}) =>
    zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content, ...more });
  test.each([
    [
      'without anything special is benign',
      text('<office:document-content><office:scripts/></office:document-content>'),
      'benign',
    ],
    [
      'with a chart as LibreOffice draws it is benign',
      text('<office:document-content/>', { 'ObjectReplacements/Object 1': 'VCLMTF\u0001\0' }),
      'benign',
    ],
    [
      'with an event handler',
      text('<office:scripts><script:event-listener script:event-name="x"/></office:scripts>'),
      'suspicious office-custom-code',
    ],
    [
      'with a macro library',
      text('<a/>', { 'Basic/Standard/Module1.xml': '<script:module/>' }),
      'suspicious office-custom-code',
    ],
    [
      'with a macro whose letters are references of XML',
      text('<a/>', {
        'Basic/Standard/Module1.xml':
          '<script:module>Sub AutoOpen\n&#83;hell &#x22;c&#97;lc.exe&quot;\nEnd Sub</script:module>',
      }),
      'suspicious code-executes office-custom-code',
    ],
    ['behind a password', text('x', { 'META-INF/manifest.xml': '<manifest:encryption-data/>' }), 'failed:encrypted'],
  ])('%s', async (_, bytes, expected) => {
    expect(await analyse(bytes, 'a.odt')).toBe(expected);
  });
});

test('compressed VBA with copy tokens is read as the specification says', () => {
  // One chunk: a, twenty copies of it, b, and four characters from 22 back, whose distance takes five bits by then.
  const packed = Buffer.from('0106b00a6111006201a8', 'hex');
  expect(Buffer.from(decompressVba(packed, 4_096) ?? []).toString()).toBe(`${'a'.repeat(21)}baaaa`);
});
