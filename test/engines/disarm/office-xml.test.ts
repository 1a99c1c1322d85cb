import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { removeDeniedFields } from '../../../lib/engines/disarm/office/fields.ts';
import { filterContext, filterElement } from '../../../lib/engines/disarm/office/filter.ts';
import { skipRulesFor } from '../../../lib/engines/disarm/office/skipped-markup.ts';
import { isElement, type XmlNode } from '../../../lib/engines/disarm/office/xml/element.ts';
import { checkXml, parseXml } from '../../../lib/engines/disarm/office/xml/parse.ts';
import { serializeXml } from '../../../lib/engines/disarm/office/xml/write.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../../lib/engines/engine.ts';
import { isLinear } from '../../growth.ts';
import { roundsOf } from '../../hostile/share.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const X = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';

const read = (markup: string | Buffer) => parseXml(Buffer.from(markup as string), DEFAULT_ENGINE_LIMITS);

function codeOf(use: () => unknown): string {
  try {
    use();
    return 'read';
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}

/** Names, values and text without keys, which the reference parser gives, too. */
function outline(node: XmlNode): unknown {
  if (typeof node === 'string') return node;
  if (!isElement(node)) return 'range';
  const attributes = node.attributes.map(({ name, value }) => `${name}=${value}`);
  return [node.name, attributes, joined(node.children.map(outline))];
}

/** Joins neighbouring texts. */
function joined(nodes: readonly unknown[]): unknown[] {
  const list: unknown[] = [];
  for (const node of nodes) {
    const last = list.at(-1);
    if (typeof node === 'string' && typeof last === 'string') list.splice(-1, 1, last + node);
    else list.push(node);
  }
  return list;
}

function referenceOutline(markup: string): unknown {
  const stack: [string, string[], unknown[]][] = [['', [], []]];
  const parser = new SaxesParser({ xmlns: true, position: false });
  const fail = () => {
    throw new Error('malformed');
  };
  parser.on('error', fail);
  parser.on('doctype', fail);
  parser.on('opentag', ({ name, attributes }) => {
    stack.push([name, Object.values(attributes).map((each) => `${each.name}=${each.value}`), []]);
  });
  const text = (value: string) => stack.at(-1)?.[2].push(value);
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('closetag', () => {
    const [name, attributes, children] = stack.pop() ?? fail();
    stack.at(-1)?.[2].push([name, attributes, joined(children)]);
  });
  parser.write(markup).close();
  return stack[0]?.[2].filter((node) => typeof node !== 'string')[0];
}

const outcome = (use: () => unknown): unknown => {
  try {
    return use();
  } catch {
    return 'refused';
  }
};

describe('the scanner reads what a strict parser reads, and refuses what it refuses', () => {
  test.each([
    '<a b="1" c=\'2\'>x<!-- y -->z<?p q?></a>',
    '<a>&lt;&amp;&#65;&#x1F600;<![CDATA[<b>&amp;]]></a>',
    '<?xml version="1.0"?>\n<a\n b = "1\t2" />\n<!-- end -->\n',
    '<a xmlns="u" xmlns:p="v"><p:b p:c="1" c="2"/></a>',
    '<ä ö="ü">ß</ä>',
    '<a>]]</a>',
    '<a>]]></a>',
    '<a b="1" b="2"/>',
    '<a xmlns:p="u" xmlns:q="u" p:c="1" q:c="2"/>',
    '<p:a/>',
    '<a:b:c xmlns:a="u"/>',
    '<xmlns:a/>',
    '<a xmlns:xmlns="u"/>',
    '<a xmlns:xml="u"/>',
    '<a xmlns:p=""/>',
    '<a><b></a></b>',
    '<a></a><b/>',
    '<a/>text',
    'text<a/>',
    '<a b=1/>',
    '<a b/>',
    '<a b="1"c="2"/>',
    '<a b="<"/>',
    '<a b="&"/>',
    '<a>&nbsp;</a>',
    '<a>&#0;</a>',
    '<a>&#xd800;</a>',
    '<a>\u0001</a>',
    '<a b="\u0001"/>',
    '<a>\uffff</a>',
    '<a><!-- -- --></a>',
    '<a><!-- </a>',
    '<a',
    '<a ',
    '<a b="',
    '<a></a',
    '<!DOCTYPE a><a/>',
    '<a><?xml version="1.0"?></a>',
    '<1/>',
    '< a/>',
    '</a>',
    '',
  ])('%s', (markup) => {
    expect(outcome(() => outline(read(markup)))).toEqual(outcome(() => referenceOutline(markup)));
  });

  test('after any change of a document', () => {
    const seed = `<?xml version="1.0"?><w:a ${W} xmlns:p="u"><w:b w:c="1 &amp; 2" d='3'>text ]] <p:e/>&#65;<![CDATA[x]]></w:b><!-- c --></w:a>`;
    const pieces = fc.constantFrom(
      '<',
      '>',
      '/',
      '"',
      "'",
      '&',
      ';',
      ' ',
      ':',
      '=',
      '!',
      '-',
      ']',
      'a',
      '#',
      '\n',
      '?',
      '',
    );
    const edits = fc.array(fc.tuple(fc.nat(seed.length - 1), fc.nat(3), pieces), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(edits, (changes) => {
        let markup = seed;
        for (const [at, length, piece] of changes) markup = markup.slice(0, at) + piece + markup.slice(at + length);
        const ours = outcome(() => outline(read(markup)));
        // Our parser may be stricter, but it must not read another tree.
        if (ours !== 'refused') expect(ours).toEqual(outcome(() => referenceOutline(markup)));
        return true;
      }),
      { numRuns: roundsOf(3_000) },
    );
  });
});

test.each([
  ['a UTF-16 part', Buffer.from('\ufeff<a>\u00e4</a>', 'utf16le'), 'read'],
  ['overlong UTF-8', Buffer.from('3c613ec0bc3c2f613e', 'hex'), 'unreadable'],
  ['a declared encoding of its own', Buffer.from('<?xml version="1.0" encoding="utf-7"?><a/>'), 'unreadable'],
  ['elements too deep', Buffer.from(`${'<a>'.repeat(300)}${'</a>'.repeat(300)}`), 'oversize'],
  [
    'too many attributes',
    Buffer.from(`<a ${Array.from({ length: 600 }, (_, at) => `b${at}="1"`).join(' ')}/>`),
    'oversize',
  ],
  [
    'too many names',
    Buffer.from(`<a>${Array.from({ length: 30_000 }, (_, at) => `<b${at}/>`).join('')}</a>`),
    'oversize',
  ],
  ['a flood of comments', Buffer.from(`<a>${'<!---->'.repeat(1_600_000)}</a>`), 'oversize'],
])('%s', (_, bytes, expected) => {
  expect(codeOf(() => checkXml(bytes, DEFAULT_ENGINE_LIMITS))).toBe(expected);
});

test('thousands of short texts cost what their number says', async () => {
  const text = '<w:p><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>';
  const isFast = isLinear(3_000, (n) => read(`<w:document ${W}><w:body>${text.repeat(n)}</w:body></w:document>`));
  expect(await isFast).toBe(true);
});

function filtered(markup: string, { isFolded }: { isFolded: boolean }): { markup: string; kinds: string[] } {
  const kinds: string[] = [];
  const context = filterContext(new Set(['rId1', 'rId2']), new Set(['rId2']), (kind) => kinds.push(kind));
  const bytes = Buffer.from(markup);
  const root = isFolded
    ? parseXml(bytes, DEFAULT_ENGINE_LIMITS, skipRulesFor(context))
    : parseXml(bytes, DEFAULT_ENGINE_LIMITS);
  for (const keyword of removeDeniedFields(root)) kinds.push(keyword);
  const [result] = filterElement(root, context);
  if (result === undefined || !isElement(result)) return { markup: '', kinds };
  return { markup: Buffer.from(serializeXml(result)).toString('utf8'), kinds: [...new Set(kinds)].sort() };
}

const body = (content: string) =>
  `<w:document ${W} ${R} ${A} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>${content}</w:body></w:document>`;
const sheet = (content: string) => `<worksheet ${X} ${R}><sheetData>${content}</sheetData></worksheet>`;
const field = (code: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:t>co</w:t><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>shown</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;

describe('skipping what the filter need not see changes nothing', () => {
  test.each([
    body('<w:p><w:r><w:t>plain</w:t></w:r></w:p><!-- c --><w:p/>'),
    body(`<w:p>${field(' PAGE ')}</w:p><w:p>${field(' DDEAUTO a b ')}<w:r><w:t>after</w:t></w:r></w:p>`),
    body(`<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:t>never ends</w:t></w:r></w:p>`),
    body(
      '<w:p><w:hyperlink r:id="rId9"><w:r><w:t>gone</w:t></w:r></w:hyperlink><w:hyperlink r:id="rId1"><w:r/></w:hyperlink></w:p>',
    ),
    body('<w:p><q:x xmlns:q="urn:unknown"><w:t>hidden</w:t></q:x><w:altChunk r:id="rId1"/>kept</w:p>'),
    body(`<q:p xmlns:q="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><q:altChunk r:id="rId1"/></q:p>`),
    body('<w:p xmlns:w="urn:unknown"><w:t>hidden</w:t></w:p><w:p><w:t>seen</w:t></w:p>'),
    body(
      '<mc:AlternateContent><mc:Choice Requires="w"><w:altChunk/></mc:Choice><mc:Fallback><w:p/></mc:Fallback></mc:AlternateContent>',
    ),
    body('<w:p xml:base="file://a"><w:r w:x="1" xmlns:z="urn:z" z:y="2"/></w:p>'),
    sheet(
      '<row r="1"><c r="A1"><f>SUM(B1:C1)</f><v>3</v></c><c r="B1"><f>WEBSERVICE("https://a")</f><v>4</v></c></row>',
    ),
    sheet(
      '<row r="1"><c r="A1" cm="1"><f><b>CALL</b>("a")</f><v>3</v></c><c r="B1"><f>CA<!-- -->LL("a")</f></c></row>',
    ),
    sheet(
      '<row><c><f t="shared" si="0" ref="A1:A2">RTD("a")</f><v>1</v></c></row><row><c><f t="shared" si="0"/><v>2</v></c></row>',
    ),
    sheet('<row><c><f><![CDATA[CALL("a")]]></f><v>1</v></c><c vm="1"><v>&amp;</v></c></row>'),
    `<worksheet ${X} ${R}><hyperlinks> <hyperlink ref="A1" r:id="rId9"/> </hyperlinks><pageSetup r:id="rId9" scale="90"/></worksheet>`,
  ])('%s', (markup) => {
    const folded = filtered(markup, { isFolded: true });
    const whole = filtered(markup, { isFolded: false });
    expect(folded.kinds).toEqual(whole.kinds);
    // Trees are compared, because a comment or the form of an empty tag may differ in the bytes.
    expect(outline(read(folded.markup))).toEqual(outline(read(whole.markup)));
  });

  test('and a document without live content comes out unchanged', () => {
    const part = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n${body('<w:p w:rsidR="1"><w:r><w:t xml:space="preserve"> a &amp; b </w:t></w:r></w:p><w:p></w:p>')}`;
    expect(filtered(part, { isFolded: true }).markup).toBe(part);
  });

  test('and content whose wrapper is removed keeps the meaning of its prefixes', () => {
    const inner = 'xmlns:q="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const { markup } = filtered(
      body(`<w:p><w:hyperlink ${inner} r:id="rId9"><q:r><q:t>text</q:t></q:r></w:hyperlink></w:p>`),
      { isFolded: true },
    );
    expect(markup).not.toContain('hyperlink');
    expect(outline(read(markup))).toBeDefined();
    expect(markup).toContain('text');
  });
});
