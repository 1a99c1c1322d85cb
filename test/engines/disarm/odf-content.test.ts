import { describe, expect, test } from 'vitest';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildZip } from '../../fixtures/build-office.ts';
import { chartRecords, starMetafile } from '../../fixtures/star-metafile.ts';
import { officeParts } from './contents.ts';
import { buildEncryptedOdf, buildFlatOdf, buildOdf, odfEntries, SPREADSHEET } from './odf-fixture.ts';
import { disarmed, disarmReport, refusalCode } from './run-disarm.ts';
import { image, KEEP, run } from './run-odf.ts';

describe('formulas', () => {
  const cell = (formula: string) =>
    `<table:table table:name="S"><table:table-row><table:table-cell table:formula="${formula}" office:value-type="float" office:value="7"><text:p>7</text:p></table:table-cell></table:table-row></table:table>`;

  test.each([
    'of:=WEBSERVICE(&quot;http://THREAT&quot;)',
    'of:=COM.MICROSOFT.WEBSERVICE(&quot;http://THREAT&quot;)',
    'of:=DDE(&quot;soffice&quot;;&quot;THREAT&quot;;&quot;A1&quot;)',
    "of:=['file:///THREAT.ods'#$Sheet1.A1]",
    'of:=[file:///THREAT.ods#$Sheet1.A1]',
    'msoxl:=cmd|&apos;/c THREAT&apos;!A0',
    'of:=HYPERLINK(&quot;file://THREAT&quot;;&quot;x&quot;)',
    'evil:=THREAT()',
    'of:=[$&apos;a&quot;&apos;.A1]+COM.MICROSOFT.WEBSERVICE([.A1]&amp;&quot;THREAT&quot;)',
    'of:=[$&apos;a&quot;&apos;.A1]+[&apos;file:///THREAT.ods&apos;#$S.A1]+[$&apos;a&quot;&apos;.A1]',
  ])('%s leaves its value', async (formula) => {
    const { all, content, kinds } = await run({ type: SPREADSHEET, body: cell(formula) });
    expect(all).not.toContain('THREAT');
    expect(content).toContain('<table:table-cell office:value-type="float" office:value="7"><text:p>7</text:p>');
    expect(kinds).toEqual(['live formula']);
  });

  test.each([
    'of:=SUM([.A1:.B2])',
    'of:={1;2|3;4}',
    'of:=IF([.A1]&gt;1;[$&apos;a b&apos;.A1];0)',
    'of:=HYPERLINK(&quot;https://example.com/&quot;;&quot;x&quot;)',
  ])('%s stays', async (formula) => {
    const { content } = await run({ type: SPREADSHEET, body: cell(formula) });
    expect(content).toContain(`table:formula="${formula.replaceAll('&apos;', "'")}"`);
  });
});

test('what a workbook remembers of another document goes, and counts neither as a sheet nor as words', async () => {
  const row = (text: string) =>
    `<table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row>`;
  const source = '<table:table-source xlink:type="simple" xlink:href="../THREAT.ods" table:mode="copy-results-only"/>';
  for (const name of [
    "'file:///C:/THREAT.ods'#$Sheet1",
    '&apos;file:///C:/THREAT it&apos;&apos;s.ods&apos;#$A',
    "'file:///C:/THREAT.ods'#Sheet1",
  ]) {
    const mirror = `<table:table table:name="${name}">${source}${row('THREAT word '.repeat(50))}</table:table>`;
    const body = `<table:table table:name="S">${row('KEEP cell')}</table:table>${mirror}`;
    const { all, content, kinds } = await run({ type: SPREADSHEET, body });
    expect(all).not.toContain('THREAT');
    expect(content).toContain('KEEP cell');
    expect(kinds).toContain('external reference');
  }
});

test('the last values of a program behind a DDE link go, and count as no sheet', async () => {
  const link =
    '<table:dde-links><table:dde-link><office:dde-source office:dde-topic="THREAT"/><table:table><table:table-row/></table:table></table:dde-link></table:dde-links>';
  const body = `<table:table table:name="S"><table:table-row><table:table-cell><text:p>KEEP cell</text:p></table:table-cell></table:table-row></table:table>${link}`;
  const { all, content, kinds } = await run({ type: SPREADSHEET, body });
  expect(all).not.toContain('THREAT');
  expect(content).toContain('KEEP cell');
  expect(kinds).toEqual(['DDE link']);
});

test('a shape is drawn by no named part of the program', async () => {
  const shape =
    '<draw:custom-shape draw:engine="com.THREAT" draw:data="THREAT"><text:p>KEEP shape</text:p></draw:custom-shape>';
  const { all, content } = await run({ body: `<text:p>${shape}</text:p>` });
  expect(all).not.toContain('THREAT');
  expect(content).toContain('<draw:custom-shape><text:p>KEEP shape</text:p></draw:custom-shape>');
});

describe('what stays', () => {
  test('is text, structure and safe links', async () => {
    const body =
      '<text:h text:outline-level="1">KEEP &amp; head</text:h><text:p text:style-name="P1">a<text:tab/>b</text:p>' +
      '<text:p><text:a xlink:type="simple" xlink:href="https://example.com/?a=1&amp;b=2">KEEP link</text:a>' +
      '<text:a xlink:type="simple" xlink:href="#mark">KEEP mark</text:a></text:p>';
    expect((await run({ body: `${body}<text:p><![CDATA[KEEP <cdata>]]></text:p>` })).content).toContain(
      `${body}<text:p>KEEP &lt;cdata&gt;</text:p>`,
    );
  });

  test('is a picture, encoded anew, and the stand-in of an object', async () => {
    const png = buildPng({ comment: 'THREAT' });
    const frame = `<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object%201"/></draw:frame>`;
    const { all, parts, content } = await run({
      body: KEEP + image('Pictures/a.png') + frame,
      parts: [
        ['Pictures/a.png', png],
        ['ObjectReplacements/Object 1', png],
      ],
    });
    expect(all).not.toContain('THREAT');
    expect(content).toContain('xlink:href="Pictures/picture-1.png"');
    expect(content).toMatch(/<draw:frame><draw:image [^>]*"Pictures\/picture-2\.png"/);
    expect(parts.get('Pictures/picture-1.png')).toMatch(/^\x89PNG/);
    expect(parts.get('META-INF/manifest.xml')).toContain(
      'manifest:full-path="Pictures/picture-1.png" manifest:media-type="image/png"',
    );
  });

  test('is a grey picture where a file only calls itself one', async () => {
    const { parts, kinds } = await run({
      body: KEEP + image('Pictures/a.png'),
      parts: [['Pictures/a.png', 'MZ THREAT']],
    });
    expect(parts.get('Pictures/picture-1.png')).toMatch(/^\x89PNG/);
    expect(kinds).toEqual(['disguised content']);
  });

  test('is a flat document with the picture in it', async () => {
    const png = Buffer.from(buildPng({ comment: 'THREAT' })).toString('base64');
    const inline = `<draw:frame><draw:image><office:binary-data>${png}</office:binary-data></draw:image></draw:frame>`;
    const flat = buildFlatOdf({ body: `${KEEP}${inline}<office:binary-data>THREAT</office:binary-data>` });
    const once = await disarmed(flat, 'a.fodt');
    expect(once).toMatchObject({ outcome: 'disarmed', extension: 'fodt' });
    expect(once.text).toContain(KEEP);
    expect(once.text).not.toContain(png);
    expect(once.text).toContain('<office:binary-data>iVBOR');
    expect((await disarmed(once.bytes, 'b.xml')).outcome).toBe('already_safe');
  });
});

describe('a flat document', () => {
  const flatWith = (picture: Uint8Array | string) => {
    const base64 = Buffer.from(picture).toString('base64');
    return buildFlatOdf({
      body: `${KEEP}<draw:frame><draw:image><office:binary-data>${base64}</office:binary-data></draw:image></draw:frame>`,
    });
  };
  const drawingIn = (text: string) =>
    Buffer.from(/<office:binary-data>([^<]*)</.exec(text)?.[1] ?? '', 'base64').toString();

  test.each([
    [
      'a drawing',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/><script>THREAT</script></svg>',
    ],
    ['the picture of a chart', starMetafile(chartRecords('2011'))],
  ])('comes out with %s as a drawing, and comes out again as it is', async (_, picture) => {
    const once = await disarmed(flatWith(picture), 'a.fodt');
    expect(drawingIn(once.text)).toMatch(/<svg [\s\S]*(?:<rect|2011)/);
    expect(drawingIn(once.text)).not.toContain('THREAT');
    expect((await disarmed(once.bytes, 'a.fodt')).outcome).toBe('already_safe');
  });
});

describe('an encrypted document', () => {
  test('opens with its password and comes out without one', async () => {
    const bytes = await buildEncryptedOdf({ body: `${KEEP}<text:script>THREAT</text:script>` }, 'geheim');
    const report = await disarmReport(bytes, 'a.odt', { password: 'geheim' });
    // Nobody can count the words of what is encrypted.
    if (report.outcome === 'failed') return expect.fail(report.failure.message);
    expect(report.quality).toMatchObject({ words: null, units: null });
    expect((await officeParts(report.bytes)).get('content.xml')).toContain(KEEP);
    expect(await disarmed(report.bytes, 'a.odt')).toMatchObject({ outcome: 'already_safe' });
  });

  test.each([undefined, 'wrong'])('needs its password, not %s', async (password) => {
    const bytes = await buildEncryptedOdf({ body: KEEP }, 'geheim');
    expect(await refusalCode(bytes, 'a.odt', password === undefined ? {} : { password })).toBe('encrypted');
  });

  test.each([
    ['Blowfish CFB', 'encrypted'],
    ['http://www.w3.org/2009/xmlenc11#aes256-gcm', 'encrypted'],
  ])('with %s is refused', async (algorithm, code) => {
    const bytes = await buildEncryptedOdf({ body: KEEP }, 'geheim', { algorithm });
    expect(await refusalCode(bytes, 'a.odt', { password: 'geheim' })).toBe(code);
  });
});

describe('a file that is refused', () => {
  test.each<[string, () => Promise<Uint8Array>, string]>([
    [
      'a document type declaration',
      () => replaced('content.xml', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
      'unreadable',
    ],
    ['markup that is not well-formed', () => replaced('styles.xml', '<a>'), 'unreadable'],
    ['another root', () => replaced('content.xml', '<a xmlns="urn:a"/>'), 'unreadable'],
    [
      'elements nested without end',
      () => buildOdf({ body: '<text:p>'.repeat(300) + '</text:p>'.repeat(300) }),
      'oversize',
    ],
    [
      'a part that expands a thousandfold',
      () => buildOdf({ parts: [['Pictures/a', Buffer.alloc(3 << 20)]] }),
      'oversize',
    ],
  ])('has %s', async (_what, build, code) => {
    expect(await refusalCode(await build(), 'a.odt')).toBe(code);
  });

  test('is recognised by its manifest when its first entry is missing', async () => {
    const bytes = await buildZip(odfEntries({ body: KEEP }).slice(1));
    expect(await disarmed(bytes, 'a.odt')).toMatchObject({ extension: 'odt' });
  });
});

async function replaced(name: string, content: string): Promise<Uint8Array> {
  return buildZip(odfEntries({ body: KEEP }).map((entry) => (entry[0] === name ? [name, content] : entry)));
}
