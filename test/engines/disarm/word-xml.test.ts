import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildPng } from '../../fixtures/build-image.ts';
import { type WordXmlOptions, wordLine, wordPicture, wordText, wordXml } from '../../fixtures/build-word-xml.ts';
import { officeParts } from './contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

async function run(options: WordXmlOptions, name = 'letter.xml') {
  const report = await disarmed(wordXml(options), name);
  const parts = await officeParts(report.bytes);
  const part = (path: string) => Buffer.from(parts.get(`word/${path}`) ?? '', 'latin1').toString('utf8');
  return { ...report, parts, part, text: part('document.xml'), all: [...parts.values()].join() };
}

describe('a Word 2003 document in XML becomes docx', () => {
  test('under the name of XML, of a document, and without one', async () => {
    for (const name of ['a.xml', 'a.doc', ''])
      expect([name, (await run({ body: wordLine('kept words') }, name)).extension]).toEqual([name, 'docx']);
  });

  test('with its words and how they look', async () => {
    const body = `<w:p><w:pPr><w:jc w:val="both"/><w:spacing w:line-rule="at-least" w:line="300"/><w:tabs><w:tab w:val="list" w:pos="720"/></w:tabs></w:pPr><w:r><w:rPr><w:rFonts w:ascii="Arial" w:h-ansi="Arial" w:fareast="Batang"/><w:b/><w:sz-cs w:val="28"/><w:shd w:val="pct-10" w:fill="FFFF00"/></w:rPr><w:t> Größe &amp; more </w:t></w:r></w:p>`;
    const { text, quality, kinds } = await run({ body });
    expect(text).toContain('<w:t xml:space="preserve"> Größe &amp; more </w:t>');
    for (const markup of [
      '<w:jc w:val="both"/>',
      'w:lineRule="atLeast"',
      '<w:tab w:val="num" w:pos="720"/>',
      '<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:eastAsia="Batang"/>',
      '<w:szCs w:val="28"/>',
      'w:val="pct10"',
    ])
      expect(text).toContain(markup);
    expect(quality.words).toEqual({ before: 3, kept: 3 });
    expect(kinds).toEqual(['document in XML', 'document properties']);
  });

  test('with runs one behind the other and whole units, as later versions of Word ask for', async () => {
    const body =
      '<w:p><w:pPr><w:ind w:left="566.9989"/><w:pStyle w:val="1.5"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>outer</w:t><w:r><w:t>inner</w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>slanted</w:t></w:r><w:t>last</w:t></w:r></w:p>';
    const { text, quality } = await run({ body });
    const run1 = (look: string, words: string) =>
      `<w:r><w:rPr><w:${look}/></w:rPr><w:t xml:space="preserve">${words}</w:t></w:r>`;
    expect(text).toContain(run1('b', 'outer') + run1('b', 'inner') + run1('i', 'slanted') + run1('b', 'last'));
    expect(text).toContain('<w:ind w:left="567"/><w:pStyle w:val="1.5"/>');
    expect(quality.words).toEqual({ before: 4, kept: 4 });
  });

  test('with tables, sections and what smart tags and custom XML stand around', async () => {
    const cell = (text: string, more = '') =>
      `<w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/>${more}</w:tcPr>${wordLine(text)}</w:tc>`;
    const body = `<wx:sub-section><w:tbl><w:tblPr><w:tblLayout w:type="Fixed"/></w:tblPr><w:tr>${cell('one', '<w:vmerge w:val="restart"/>')}${cell('two')}</w:tr></w:tbl></wx:sub-section><w:p><st1:City w:st="on">${wordText('Paris')}</st1:City><x:order xmlns:x="urn:orders">${wordText('12')}</x:order></w:p>`;
    const { text, quality } = await run({ body, section: '<w:type w:val="next-page"/>' });
    for (const markup of [
      '<w:tblLayout w:type="fixed"/>',
      '<w:vMerge w:val="restart"/>',
      '<w:type w:val="nextPage"/>',
      'Paris',
      '12',
    ])
      expect(text).toContain(markup);
    expect(text).not.toMatch(/smarttag|orders|wx:/);
    expect(quality.words).toEqual({ before: 4, kept: 4 });
  });

  test('with headers, footers, notes and comments in parts of their own', async () => {
    const section = `<w:hdr w:type="odd">${wordLine('top words')}</w:hdr><w:ftr w:type="first">${wordLine('bottom words')}</w:ftr>`;
    const comment = `<aml:annotation aml:id="5" w:type="Word.Comment.Start"/>${wordText('said')}<aml:annotation aml:id="5" w:type="Word.Comment.End"/><w:r><aml:annotation aml:id="5" aml:author="Ada" aml:createdate="2005-03-01T10:00:00Z" w:type="Word.Comment"><aml:content>${wordLine('comment words')}</aml:content></aml:annotation></w:r>`;
    const body = `<w:p>${wordText('text')}<w:r><w:footnote><w:p><w:r><w:footnoteRef/></w:r>${wordText('foot words')}</w:p></w:footnote></w:r><w:r><w:endnote>${wordLine('end words')}</w:endnote></w:r>${comment}</w:p>`;
    const { text, part, quality } = await run({ body, section });
    expect(text).toMatch(/<w:headerReference w:type="default" r:id="\w+"\/><w:footerReference w:type="first"/);
    expect(part('header1.xml')).toContain('top words');
    expect(part('footer2.xml')).toContain('bottom words');
    expect(part('footnotes.xml')).toMatch(/w:type="separator".*<w:footnote w:id="3">.*foot words/s);
    expect(text).toContain('<w:footnoteReference w:id="3"/>');
    expect(part('endnotes.xml')).toContain('end words');
    expect(part('comments.xml')).toMatch(/<w:comment w:id="5"[^>]*w:date="2005-03-01T10:00:00Z".*comment words/s);
    expect(quality.words?.kept).toBe(quality.words?.before);
  });

  test('with lists, styles and the fonts that it has by itself', async () => {
    const lists =
      '<w:listDef w:listDefId="0"><w:lsid w:val="1A2B3C4D"/><w:plt w:val="HybridMultilevel"/><w:lvl w:ilvl="0"><w:start w:val="3"/><w:nfc w:val="2"/><w:suff w:val="Space"/><w:lvlText w:val="%1-a-b"/><w:lvlJc w:val="left"/></w:lvl></w:listDef><w:list w:ilfo="1"><w:ilst w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:list>';
    const styles =
      '<w:style w:type="paragraph" w:default="on" w:styleId="my-style"><w:name w:val="my-style"/><wx:uiName wx:val="Mine"/><w:rsid w:val="00A1"/><w:rPr><w:b/></w:rPr></w:style>';
    const body = `<w:p><w:pPr><w:pStyle w:val="my-style"/><w:listPr><w:ilvl w:val="0"/><w:ilfo w:val="1"/><wx:t wx:val="iii."/></w:listPr></w:pPr>${wordText('item')}</w:p>`;
    const { text, part } = await run({ body, lists, styles });
    expect(text).toContain('<w:pStyle w:val="my-style"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
    expect(part('numbering.xml')).toMatch(
      /<w:multiLevelType w:val="hybridMultilevel"\/>.*<w:start w:val="3"\/><w:numFmt w:val="lowerRoman"\/><w:suff w:val="space"\/><w:lvlText w:val="%1-a-b"\/>/s,
    );
    expect(part('numbering.xml')).toContain('<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>');
    expect(part('styles.xml')).toMatch(
      /<w:docDefaults>.*w:eastAsia="Batang".*w:default="1" w:styleId="my-style"><w:name w:val="my-style"\/><w:rPr>/s,
    );
  });

  test('with changes and bookmarks', async () => {
    const change = (type: string, content: string) =>
      `<aml:annotation aml:id="7" aml:author="Bob" aml:createdate="2005-03-01T10:00:00Z" w:type="Word.${type}"><aml:content>${content}</aml:content></aml:annotation>`;
    const body = `<w:p><aml:annotation aml:id="0" w:type="Word.Bookmark.Start" w:name="top"/>${change('Insertion', wordText('new'))}${change('Deletion', '<w:r><w:delText>old</w:delText></w:r>')}<aml:annotation aml:id="0" w:type="Word.Bookmark.End"/><w:hlink w:bookmark="top">${wordText('up')}</w:hlink></w:p>`;
    const { text } = await run({ body });
    expect(text).toMatch(
      /<w:bookmarkStart w:id="0" w:name="top"\/><w:ins [^>]*>.*new.*<\/w:ins><w:del [^>]*>.*old.*<\/w:del><w:bookmarkEnd w:id="0"\/><w:hyperlink w:anchor="top">/,
    );
  });

  test('with pictures, also those that Word packs', async () => {
    const { parts, text, quality } = await run({ body: wordLine('above') + wordPicture(buildPng()) });
    expect([...parts.keys()]).toContain('word/media/image1.png');
    expect(text).toMatch(/<v:imagedata [^>]*r:id="\w+"/);
    expect(quality.checks).toContain('pictures');
    const nameless = await run({ body: wordLine('above') + wordPicture(buildPng(), 'wordml://Picture 1') });
    expect([...nameless.parts.keys()]).toContain('word/media/image1.png');
    const drawing = Buffer.from('010009000003000000000000000000000000030000000000', 'hex');
    const metafile = await run({ body: wordLine('above') + wordPicture(gzipSync(drawing), 'wordml://03000001.wmz') });
    expect(metafile.kinds).not.toContain('embedded object');
    const packed = wordLine('above') + wordPicture(gzipSync(Buffer.alloc(4_000_000)), 'wordml://02000001.emz');
    const { kinds } = await disarmed(wordXml({ body: packed }), 'a.xml', { limits: { inflatedBytes: 3_000_000 } });
    expect(kinds).toContain('embedded object');
  });

  test('with links to the web, and without others', async () => {
    const link = (target: string) => `<w:hlink w:dest="${target}">${wordText('a link')}</w:hlink>`;
    const { text, all, kinds } = await run({
      body: `<w:p>${link('https://kept.example/')}${link('file:///c:/LIVE.exe')}</w:p>`,
    });
    expect(all).toContain('https://kept.example/');
    expect(text.match(/a link/g)).toHaveLength(2);
    expect(all).not.toContain('LIVE');
    expect(kinds).toContain('unsafe link');
  });
});

test.each([
  [
    'its macros',
    {
      before: '<w:docSuppData><w:binData w:name="editdata.mso">QWN0aXZlTWltZQ==</w:binData></w:docSuppData>',
      attributes: ' w:macrosPresent="yes"',
    },
    'macro',
  ],
  [
    'its objects',
    { before: '<w:docOleData><w:binData w:name="oledata.mso">0M8R4A==</w:binData></w:docOleData>' },
    'embedded object',
  ],
  [
    'the template of another server',
    { settings: '<w:attachedTemplate w:val="http://evil.example/t.dot"/>' },
    'external template',
  ],
  [
    'pictures of another server',
    {
      body: `${wordLine('above')}<w:p><w:r><w:pict><v:shape><v:imagedata src="http://evil.example/a.png"/></v:shape></w:pict></w:r></w:p>`,
    },
    'external picture',
  ],
  [
    'fields that start programs',
    {
      body: `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DDEAUTO c:\\\\evil.exe</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>${wordText('above')}</w:p>`,
    },
    'DDE field',
  ],
] as const)('loses %s', async (_what, options, kind) => {
  const { kinds, all } = await run(options);
  expect(kinds).toContain(kind);
  expect(all).not.toMatch(/evil|editdata|oledata|LIVE/);
});

describe('is refused:', () => {
  test.each([
    [
      'a document type',
      wordXml().replace('<w:wordDocument', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:wordDocument'),
      'unreadable',
    ],
    ['an entity of its own', wordXml({ body: wordLine('&x;') }), 'unreadable'],
    ['markup that is cut off', wordXml().slice(0, -30), 'unreadable'],
    ['no text', wordXml().replace(/<w:body>.*<\/w:body>/s, ''), 'unreadable'],
    [
      'elements that are nested too deep',
      wordXml({ body: '<w:tbl>'.repeat(3_000) + '</w:tbl>'.repeat(3_000) }),
      'oversize',
    ],
  ])('%s', async (_what, xml, code) => {
    expect(await refusalCode(xml, 'a.xml')).toBe(code);
  });
});
