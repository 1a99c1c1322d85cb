/** Ordinary OpenDocument files: what their reader sees stays. */
import { describe, expect, test } from 'vitest';
import { buildZip } from '../../fixtures/build-office.ts';
import { chartRecords, starMetafile, starRecord } from '../../fixtures/star-metafile.ts';
import { officeParts, zipMembers } from './contents.ts';
import { buildFlatOdf, odfEntries, SPREADSHEET, TEXT } from './odf-fixture.ts';
import { disarmed, disarmReport } from './run-disarm.ts';
import { image, KEEP, run } from './run-odf.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>.a{fill:#123456}</style><rect class="a" width="9" height="9"/></svg>';

test('a drawing stays a drawing, with the colours of its style sheet', async () => {
  const { parts, content } = await run({
    body: KEEP + image('Pictures/a.svg'),
    parts: [['Pictures/a.svg', SVG]],
  });
  expect(content).toContain('Pictures/picture-1.svg');
  expect(parts.get('Pictures/picture-1.svg')).toContain('fill:#123456');
  expect(parts.get('Pictures/picture-1.svg')).not.toContain('<style');
  expect(parts.get('META-INF/manifest.xml')).toContain('image/svg+xml');
});

describe('the picture that LibreOffice stores beside a chart or a formula', () => {
  const object = `<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame>`;
  const withPicture = (metafile: Uint8Array) =>
    run({ body: KEEP + object, parts: [['ObjectReplacements/Object 1', metafile]] });

  test('becomes a drawing with its areas, lines and texts', async () => {
    const { bytes, content, parts, kinds } = await withPicture(starMetafile(chartRecords('2011 & more')));
    expect(content).toContain('Pictures/picture-1.svg');
    const drawing = parts.get('Pictures/picture-1.svg');
    expect(drawing).toContain('viewBox="0 0 10000 5000"');
    expect(drawing).toContain('<path d="M100 100L900 100L900 900L100 900Z" fill-rule="evenodd" fill="#ff420e"/>');
    expect(drawing).toContain(
      '<path d="M0 1000L9000 1000" fill="none" stroke="#000000" stroke-width="30" stroke-dasharray="100 50"/>',
    );
    expect(drawing).toMatch(
      /<text x="500" y="600" font-size="400" font-family="Liberation Sans" font-weight="bold" transform="rotate\(-90 500 600\)">2011 &amp; more</,
    );
    expect([...zipMembers(bytes).keys()]).not.toContain('ObjectReplacements/Object 1');
    expect(kinds).toEqual(['picture data', 'embedded object']);
  });

  test('writes no markup of its texts and names', async () => {
    const { parts } = await withPicture(starMetafile(chartRecords('</text><script>a</script>', 'x" onload="a')));
    const drawing = parts.get('Pictures/picture-1.svg') ?? '';
    expect(drawing).not.toMatch(/<script|onload="/);
    expect(drawing).toContain('&lt;script&gt;');
  });

  const whole = starMetafile(chartRecords('a'));
  test.each([
    [
      'is no metafile behind its mark',
      Buffer.concat([Buffer.from('VCLMTF'), Buffer.from('THREAT comment'.padEnd(80))]),
    ],
    ['is cut off', whole.subarray(0, -5)],
    ['draws nothing', starMetafile([])],
    ['claims more points than it has', starMetafile([starRecord(110, 1, Buffer.from([0xff, 0xff, 1, 0, 0, 0]))])],
  ])('becomes a placeholder when it %s, and the report names it', async (_what, metafile) => {
    const { bytes, content, kinds } = await withPicture(metafile);
    expect(content).toContain('Pictures/picture-1.png');
    expect(Buffer.from(bytes).includes('THREAT')).toBe(false);
    expect(kinds).toEqual(['picture that cannot be made safe', 'embedded object']);
  });
});

test('the words of a form stay where its controls stood, and the form goes', async () => {
  // As LibreOffice writes it: the controls first, and then the places at which they are shown.
  const listener =
    '<office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="form:performaction" xlink:href="vnd.sun.star.script:THREAT?language=Basic" xlink:type="simple"/></office:event-listeners>';
  const forms = `<office:forms form:automatic-focus="false"><form:form form:name="Form" xlink:href="https://THREAT.example/" form:command="THREAT">
    <form:button xml:id="control1" form:id="control1" form:label="Push &lt;Button&gt;">${listener}</form:button>
    <form:text xml:id="control2" form:id="control2" form:current-value="what was typed"/>
    <form:checkbox xml:id="control3" form:id="control3" form:label="agreed" form:current-state="checked"/>
    <form:listbox xml:id="control4" form:id="control4"><form:option form:label="one"/><form:option form:label="two" form:current-selected="true"/></form:listbox>
    <form:password xml:id="control5" form:id="control5" form:current-value="THREAT secret"/>
    <form:hidden xml:id="control6" form:id="control6" form:value="THREAT hidden"/></form:form></office:forms>`;
  const shown = [1, 2, 3, 4, 5, 6].map(
    (number) =>
      `<draw:control svg:width="45mm" svg:x="6mm" draw:text-style-name="P1" draw:control="control${number}"/>`,
  );
  const { content, kinds } = await run({ body: `${forms}${KEEP}<text:p>${shown.join('')}</text:p>` });
  expect(content).not.toMatch(/THREAT|form:|draw:control|event-listener/);
  const seen = Buffer.from(content, 'latin1').toString('utf8');
  const boxes = [...seen.matchAll(/<draw:text-box>(.*?)<\/draw:text-box>/g)].map((match) => match[1]);
  expect(boxes).toEqual(
    ['Push &lt;Button&gt;', 'what was typed', '\u2612 agreed', 'two'].map(
      (words) => `<text:p text:style-name="P1">${words}</text:p>`,
    ),
  );
  expect(content).toContain('<draw:frame svg:width="45mm" svg:x="6mm"><draw:text-box>');
  expect(kinds).toEqual(['form']);
});

test('the boxes with the words of a form have no fill and no border of their own', async () => {
  const before =
    '<office:automatic-styles><style:style style:name="P1" style:family="paragraph"/></office:automatic-styles>';
  const forms =
    '<office:forms><form:form><form:button form:id="control1" form:label="Push"/></form:form></office:forms>';
  const body = `${forms}${KEEP}<text:p><draw:control draw:style-name="gr1" svg:width="45mm" draw:control="control1"/></text:p>`;
  const { text } = await disarmed(buildFlatOdf({ type: TEXT, body, before }), 'form.fodt');
  expect(text).toMatch(
    /<style:style style:name="(\w+)" style:family="graphic"><style:graphic-properties draw:stroke="none" draw:fill="none"\/><\/style:style><\/office:automatic-styles>[\s\S]*<draw:frame svg:width="45mm" draw:style-name="\1"><draw:text-box>/,
  );
  expect((await disarmed(text, 'form.fodt')).outcome).toBe('already_safe');
});

test('a text with many comments and changes is not refused for the names of those who wrote them', async () => {
  const said = (number: number) =>
    `<text:p>KEEP ${number}<office:annotation><dc:creator>Jane NAMED</dc:creator><dc:date>2026-01-01T00:00:00</dc:date><meta:creator-initials>jn</meta:creator-initials><text:p>remark</text:p></office:annotation></text:p>`;
  const body = Array.from({ length: 30 }, (_, number) => said(number)).join('');
  const { text } = await disarmed(buildFlatOdf({ type: TEXT, body }), 'reviewed.fodt');
  expect(text).toContain('remark');
  expect(text).not.toContain('NAMED');
});

test('page measures stay, also under the names that the first OpenDocument programs used', async () => {
  const styles =
    '<office:automatic-styles><style:page-layout style:name="pm1" xmlns:early="http://www.w3.org/1999/XSL/Format"><style:page-layout-properties early:page-width="21.59cm"/></style:page-layout></office:automatic-styles>';
  expect((await run({ body: KEEP, styles })).parts.get('styles.xml')).toContain('fo:page-width="21.59cm"');
});

test('a flat document that was shortened by hand is read without what has a prefix that nothing declares', async () => {
  const body = `<text:p xml:id="a" loext2:marker-style-name="T1">KEEP text</text:p><soft:thing>gone</soft:thing>`;
  const once = await disarmed(buildFlatOdf({ type: TEXT, body }), 'short.fodt');
  expect(once.text).toContain('<text:p xml:id="a">KEEP text</text:p>');
  expect(once.text).not.toMatch(/marker|soft|gone/);
  expect(once.kinds).toEqual(['unknown markup']);
});

test('a template for letters whose text is put together by scripts is not refused for the words of the scripts', async () => {
  // The marks of JOOReports, as LibreOffice stores them.
  const mark = `<text:p><text:script script:language="JOOScript">@table:table-row [#if ( isPosRed ) &amp;&amp; (ITEMTYPE == 4) ] [#if CALCTYPE != 9] @/table:table-row [/#if] [/#if] and more of it</text:script></text:p>`;
  const { content, kinds } = await run({ body: `${KEEP}${mark}` });
  expect(content).not.toMatch(/script|CALCTYPE/);
  expect(kinds).toEqual(['macro']);
});

test.each(['settings.xml', 'meta.xml'])('a damaged part beside the content is left out: %s', async (name) => {
  const entries = odfEntries({ body: KEEP }).filter(([each]) => each !== name);
  const bytes = await buildZip([...entries, [name, '<office:document-settings']]);
  const once = await disarmed(bytes, 'a.odt');
  const parts = await officeParts(once.bytes);
  expect([...parts.keys()]).not.toContain(name);
  expect(parts.get('content.xml')).toContain('KEEP text');
  expect(once.kinds).toContain('damaged part');
});

test('a template that consists only of its styles stays one, as LibreOffice has them', async () => {
  const entries = odfEntries({ styles: '<office:styles><style:style style:name="Quotations"/></office:styles>' });
  const bytes = await buildZip(entries.filter(([name]) => name !== 'content.xml'));
  const once = await disarmed(bytes, 'Simple.ott');
  expect((await officeParts(once.bytes)).get('styles.xml')).toContain('Quotations');
  expect((await disarmed(once.bytes, 'Simple.ott')).outcome).toBe('already_safe');
});

test('a flat document is not refused for the settings and properties that LibreOffice writes into every one', async () => {
  const items = Array.from(
    { length: 90 },
    (_, index) =>
      `<config:config-item config:name="Print${index}" config:type="string">some words</config:config-item>`,
  );
  const property = '<meta:user-defined meta:name="a">some words about the document</meta:user-defined>'.repeat(20);
  const before = `<office:meta>${property}</office:meta><office:settings><config:config-item-set config:name="a">${items.join('')}</config:config-item-set></office:settings><office:scripts><office:script script:language="ooo:Basic"><ooo:libraries xmlns:ooo="http://openoffice.org/2004/office"><ooo:library-embedded ooo:name="Standard"/></ooo:libraries></office:script></office:scripts>`;
  const { text } = await disarmed(buildFlatOdf({ type: TEXT, body: KEEP, before }), 'short.fodt');
  expect(text).toContain('KEEP');
  expect(text).not.toMatch(/some words|office:script/);
});

describe('a flat document that is the content of a package alone, as Pandoc writes it', () => {
  const contentAlone = (body: string, root = '') =>
    buildFlatOdf({ type: TEXT, body })
      .toString()
      .replace(/<office:document\b([^>]*?) office:mimetype="[^"]*"/, `<office:document-content$1${root}`)
      .replace('</office:document>', '</office:document-content>');

  test.each(['', ' office:mimetype="application/vnd.oasis.opendocument.spreadsheet"'])(
    'becomes a whole one, which office programs open (%s)',
    async (root) => {
      const bytes = Buffer.from(contentAlone(KEEP, root));
      expect(bytes.toString()).toContain('<office:document-content');
      const once = await disarmed(bytes, 'rich.fodt');
      expect(once.text).toContain('KEEP');
      expect(
        once.text.match(/<office:document [^>]*office:mimetype="application\/vnd.oasis.opendocument.text"/),
      ).not.toBe(null);
      expect(once.text.match(/office:mimetype/g)).toHaveLength(1);
      expect((await disarmed(once.bytes, 'rich.fodt')).outcome).toBe('already_safe');
    },
  );

  test('loses its scripts and objects like every other one', async () => {
    const threat =
      '<office:scripts><office:script>THREAT</office:script></office:scripts><draw:frame><draw:object xlink:href="https://threat.example/THREAT"/></draw:frame>';
    const { text } = await disarmed(Buffer.from(contentAlone(KEEP + threat)), 'rich.fodt');
    expect(text).toContain('KEEP');
    expect(text).not.toMatch(/THREAT|office:script/);
  });

  test.each(['document-styles', 'document-meta'])('with the root %s is refused', async (root) => {
    const other = contentAlone(KEEP).replaceAll('document-content', root);
    expect((await disarmReport(Buffer.from(other), 'rich.fodt')).outcome).toBe('failed');
  });
});

describe('in a spreadsheet', () => {
  const cell = (formula: string) =>
    `<table:table table:name="A"><table:table-row><table:table-cell table:formula="${formula}" office:value-type="string"><text:p>KEEP</text:p></table:table-cell></table:table-row></table:table>`;

  test('the function that shows a formula stays one', async () => {
    const { content } = await run({ type: SPREADSHEET, body: cell('of:=FORMULA([.A1])') });
    expect(content).toContain('of:=FORMULA([.A1])');
  });

  test('a conditional format stays', async () => {
    const style =
      '<style:style style:name="ce1" style:family="table-cell"><style:map style:condition="is-true-formula([.$C2]&gt;10)" style:apply-style-name="Bad"/></style:style>';
    const { content } = await run({
      type: SPREADSHEET,
      body: cell('of:=[.B1]'),
      before: `<office:automatic-styles>${style}</office:automatic-styles>`,
    });
    expect(content).toContain('is-true-formula([.$C2]&gt;10)');
  });
});

test.each([
  ['text', TEXT, 'fodt'],
  ['spreadsheet', SPREADSHEET, 'fods'],
])('a flat %s is not refused for what a chart in it says', async (_, type, extension) => {
  const chart = `<draw:frame><draw:object><office:document office:mimetype="application/vnd.oasis.opendocument.chart"><office:body><office:chart><table:table table:name="local-table"><table:table-row><table:table-cell><text:p>${'words of a chart '.repeat(10)}</text:p></table:table-cell></table:table-row></table:table></office:chart></office:body></office:document></draw:object></draw:frame>`;
  const table = `<table:table table:name="A"><table:table-row><table:table-cell><text:p>KEEP text${chart}</text:p></table:table-cell></table:table-row></table:table>`;
  const flat = buildFlatOdf({ type, body: type === TEXT ? `<text:p>KEEP text${chart}</text:p>` : table });
  const report = await disarmReport(flat, `a.${extension}`);
  expect(report.outcome === 'failed' ? report.failure.message : report.outcome).toBe('disarmed');
  const { text, kinds } = await disarmed(flat, `a.${extension}`);
  expect(text).toContain('KEEP text');
  expect(text).not.toContain('words of a chart');
  expect(kinds).toContain('embedded object');
});
