import { describe, expect, test } from 'vitest';
import { disarm } from '../../../lib/engines/disarm/office/office.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../../lib/engines/engine.ts';
import { describeType } from '../../../lib/formats/file-types.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import {
  buildActiveXDocx,
  buildDocm,
  buildDocx,
  buildExternalTemplateDocx,
  buildMacroFreeDocx,
  buildOleDocx,
  buildZip,
  type DocxOptions,
} from '../../fixtures/build-office.ts';
import { officeParts } from './contents.ts';

const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';
const TYPE = describeType('application/vnd.openxmlformats-officedocument.wordprocessingml.document');

async function run(bytes: Uint8Array, limits = DEFAULT_ENGINE_LIMITS) {
  const report = await disarm({ bytes, untrustedName: 'a.docx', password: null }, TYPE, limits);
  const parts = await officeParts(report.bytes);
  return {
    ...report,
    parts,
    document: parts.get('word/document.xml') ?? '',
    kinds: report.details.map(({ kind }) => kind),
    isSame: Buffer.compare(report.bytes, bytes) === 0,
  };
}

/** The markup of the document after a disarm. A second pass must change nothing. */
async function documentOf(options: DocxOptions): Promise<string> {
  const once = await run(await buildDocx(options));
  expect(once.outcome).toBe('disarmed');
  expect((await run(once.bytes)).outcome).toBe('already_safe');
  expect(once.document).toContain('Invoice 2024-0117');
  return once.document;
}

const code = async (bytes: Uint8Array, limits = DEFAULT_ENGINE_LIMITS): Promise<string> => {
  try {
    return (await run(bytes, limits)).outcome;
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
};

describe('a document without live content', () => {
  test('keeps its bytes', async () => {
    const report = await run(await buildMacroFreeDocx());
    expect(report).toMatchObject({ outcome: 'already_safe', isSame: true, details: [] });
  });

  test('is rebuilt when its archive holds an entry that the directory does not list', async () => {
    const good = Buffer.from(await buildMacroFreeDocx());
    const hidden = Buffer.from(await buildZip([['word/vbaProject.bin', 'hidden']]));
    const directory = (zip: Buffer) => zip.readUInt32LE(zip.length - 6);
    const bytes = Buffer.concat([
      good.subarray(0, directory(good)),
      hidden.subarray(0, directory(hidden)),
      good.subarray(directory(good)),
    ]);
    bytes.writeUInt32LE(directory(good) + directory(hidden), bytes.length - 6);
    const report = await run(bytes);
    expect(report.kinds).toEqual(['ambiguous archive']);
    expect(Buffer.from(report.bytes).includes('vbaProject')).toBe(false);
  });
});

describe('a macro document', () => {
  test('becomes the type without macros, with the text and without the project', async () => {
    const report = await run(await buildDocm());
    expect(report.outcome).toBe('disarmed');
    expect(report.type.extension).toBe('docx');
    expect(report.kinds).toEqual(['macro file type', 'macro']);
    expect([...report.parts.keys()].join()).not.toContain('vba');
    expect([...report.parts.values()].join()).not.toMatch(/vbaProject|macroEnabled/);
    for (const text of ['Invoice 2024-0117', 'Consulting', '1,526.50']) expect(report.document).toContain(text);
  });

  test('gives the same bytes every time', async () => {
    const bytes = await buildDocm();
    expect(Buffer.compare((await run(bytes)).bytes, (await run(bytes)).bytes)).toBe(0);
  });
});

describe('content that relationships point at', () => {
  test('loses an external template', async () => {
    const report = await run(await buildExternalTemplateDocx());
    expect([...report.parts.entries()].join()).not.toMatch(/evil|attachedTemplate/);
    expect(report.kinds).toContain('external template');
  });

  test('loses an embedded object and keeps its preview as a picture', async () => {
    const report = await run(await buildOleDocx(buildPng()));
    expect([...report.parts.keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'word/_rels/document.xml.rels',
      'word/document.xml',
      'word/media/image1.png',
      'word/settings.xml',
      'word/styles.xml',
    ]);
    expect(report.document).toMatch(/<w:pict><v:shape [^>]*><v:imagedata r:id="rId11"/);
    expect(report.document).not.toContain('OLEObject');
  });

  test('loses an ActiveX control', async () => {
    const report = await run(await buildActiveXDocx());
    expect([...report.parts.entries()].join()).not.toMatch(/activeX|w:control/);
  });

  test('drops a macro project that calls itself a picture', async () => {
    const report = await run(
      await buildDocx({
        parts: [{ name: 'word/media/image1.png', content: Buffer.from('d0cf11e0a1b11ae1', 'hex') }],
        links: [{ id: 'rId7', type: `${OD}image`, target: 'media/image1.png' }],
      }),
    );
    expect(report.kinds).toEqual(['disguised content']);
    expect(report.parts.get('word/media/image1.png')).toMatch(/^\x89PNG/);
  });

  test('re-encodes a picture and so removes the text behind it', async () => {
    const report = await run(
      await buildDocx({
        parts: [
          { name: 'word/media/image1.png', content: buildPng({ comment: 'secret', appended: Buffer.from('PK') }) },
        ],
        links: [{ id: 'rId7', type: `${OD}image`, target: 'media/image1.png' }],
      }),
    );
    expect(report.parts.get('word/media/image1.png')).not.toMatch(/secret|PK$/);
    expect(report.details).toEqual([{ kind: 'picture data', action: 'sanitized', where: 'word/media/image1.png' }]);
  });

  test('unwraps an unsafe hyperlink and keeps a safe one', async () => {
    const link = (id: string, text: string) =>
      `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>${text}</w:t></w:r></w:hyperlink></w:p>`;
    const document = await documentOf({
      body: link('rId20', 'bad link') + link('rId21', 'good link'),
      links: [
        { id: 'rId20', type: `${OD}hyperlink`, target: 'file://server/share/a.exe', external: true },
        { id: 'rId21', type: `${OD}hyperlink`, target: 'https://example.com/', external: true },
      ],
    });
    expect(document).toContain('<w:p><w:r><w:t>bad link</w:t></w:r></w:p>');
    expect(document).toContain('<w:hyperlink r:id="rId21">');
  });

  test('loads no picture over a relationship that is declared as a link', async () => {
    const document = await documentOf({
      body:
        '<w:p><w:r><w:pict><v:shape id="s1"><v:imagedata r:id="rId20"/></v:shape></w:pict></w:r></w:p>' +
        '<w:p><w:r><w:pict><v:shape id="s2"><v:fill r:id="rId20" type="frame"/></v:shape></w:pict></w:r></w:p>' +
        '<w:p><w:hyperlink r:id="rId20"><w:r><w:t>good link</w:t></w:r></w:hyperlink></w:p>',
      links: [{ id: 'rId20', type: `${OD}hyperlink`, target: 'https://example.com/a.png', external: true }],
    });
    expect(document.match(/<[^<]*rId20[^>]*>/g)).toEqual(['<w:hyperlink r:id="rId20">']);
  });

  test('shows the copy of a picture that is linked, too', async () => {
    const document = await documentOf({
      body: '<w:p><w:r><w:pict><v:shape id="s1"><v:imagedata r:id="rId20" r:href="rId21"/></v:shape></w:pict></w:r></w:p>',
      parts: [{ name: 'word/media/image1.png', content: await buildPng() }],
      links: [
        { id: 'rId20', type: `${OD}image`, target: 'media/image1.png' },
        { id: 'rId21', type: `${OD}image`, target: 'https://example.com/a.png', external: true },
      ],
    });
    expect(document).toContain('<v:imagedata r:id="rId20"/>');
  });

  test('keeps the styles of drawings that place and measure', async () => {
    const shape = (style: string) =>
      `<v:shape id="s9" style="${style}"><v:textbox style="mso-fit-shape-to-text:t"/></v:shape>`;
    const document = (style: string) =>
      documentOf({ body: `<w:p><w:r><w:pict>${shape(style)}<v:shape onclick="a"/></w:pict></w:r></w:p>` });
    const style = "position:absolute;margin-left:1.5pt;mso-position-horizontal:center;font-family:'Book Sans'";
    expect(await document(style)).toContain(shape(style));
    expect(await document('width:9pt;background:url(a);height:1pt')).toContain(shape('width:9pt;height:1pt'));
  });

  test('removes what runs or loads from a drawing and keeps its look', async () => {
    const document = await documentOf({
      body:
        '<w:p><w:r><w:pict><v:shape id="s9" onclick="run()" href="file:///c:/a.exe" o:gfxdata="UEsDBA" style="width:9pt">' +
        '<v:shadow on="t"/></v:shape></w:pict></w:r></w:p>',
    });
    expect(document).toContain('<v:shape id="s9" style="width:9pt"><v:shadow on="t"/></v:shape>');
  });

  test('shows the fallback picture when a drawing of an unknown kind is removed', async () => {
    const drawing = (content: string) =>
      `<w:drawing><wp:inline><wp:docPr id="1" name="n"/><a:graphic><a:graphicData uri="u">${content}</a:graphicData></a:graphic></wp:inline></w:drawing>`;
    const document = await documentOf({
      body:
        '<w:p xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
        'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:am="http://schemas.microsoft.com/office/drawing/2017/model3d">' +
        `<w:r><mc:AlternateContent><mc:Choice Requires="am">${drawing('<am:model3d r:embed="rId30"/>')}</mc:Choice>` +
        '<mc:Fallback><w:t>flat</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>',
      parts: [{ name: 'word/media/model.glb', content: 'glTF' }],
      links: [
        {
          id: 'rId30',
          type: 'http://schemas.microsoft.com/office/2017/06/relationships/model3d',
          target: 'media/model.glb',
        },
      ],
    });
    expect(document).toContain('<mc:AlternateContent><mc:Fallback><w:t>flat</w:t></mc:Fallback></mc:AlternateContent>');
  });

  test('drops where a shape came from, and keeps where a click on it leads', async () => {
    const shape = '<v:shape id="s" href="https://kept.example/" o:href="https://gone.example/a.png"/>';
    const document = await documentOf({ body: `<w:p><w:r><w:pict>${shape}</w:pict></w:r></w:p>` });
    expect(document).toContain('href="https://kept.example/"');
    expect(document).not.toContain('gone.example');
  });

  test('drops markup of a vocabulary that Office does not have', async () => {
    const document = await documentOf({ body: '<e:run xmlns:e="http://evil.example/ns"><w:p/></e:run>' });
    expect(document).not.toContain('e:run');
  });
});

describe('a document type declaration', () => {
  const withHeader = (prolog: string, text: string) =>
    buildDocx({
      parts: [
        {
          name: 'word/header1.xml',
          content: `${prolog}<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:hdr>`,
          contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml',
        },
      ],
      links: [{ id: 'rId5', type: `${OD}header`, target: 'header1.xml' }],
    });
  const bomb = Array.from({ length: 20 }, (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`).join(
    '',
  );

  test.each([
    ['names a file', '<!DOCTYPE a SYSTEM "file:///etc/passwd">', 'KEEP'],
    ['asks for a file', '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>', 'KEEP &b;'],
    ['loads more declarations', '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://evil.example/x.dtd"> %b;]>', 'KEEP'],
    ['repeats a text a billion times', `<!DOCTYPE a [<!ENTITY a0 "ha">${bomb}]>`, 'KEEP &a20;'],
    ['hides its end', `<!DOCTYPE a [<!ENTITY b ']><x>'><!-- ]> " --><?c ]> ?>]>`, 'KEEP &b;'],
  ])('that %s is gone, with what it declares', async (_what, prolog, text) => {
    const { parts, kinds } = await run(await withHeader(prolog, text));
    expect(parts.get('word/header1.xml')).toMatch(/<w:t>KEEP ?<\/w:t>/);
    expect(parts.get('word/header1.xml')).not.toMatch(/DOCTYPE|ENTITY|evil|passwd|<x>/);
    expect(kinds).toContain('document type declaration');
  });

  test.each([
    ['that does not end', '<!DOCTYPE a [<!ENTITY b "c">', ''],
    ['after another', '<!DOCTYPE a><!DOCTYPE b>', ''],
    ['behind which an entity is used that it does not declare', '<!DOCTYPE a>', '&c;'],
  ])('%s refuses the document', async (_what, prolog, text) => {
    expect(await code(await withHeader(prolog, text))).toBe('unreadable');
  });
});

describe('a file that is refused', () => {
  test.each([
    ['two parts of one name in another case', async () => buildWith([['WORD/DOCUMENT.XML', 'x']]), 'unreadable'],
    ['no archive at all', async () => Buffer.from('PK nothing'), 'unreadable'],
    [
      'an add-in',
      async () => buildDocx({ mainType: 'application/vnd.ms-excel.addin.macroEnabled.main+xml' }),
      'unsupported',
    ],
    [
      'a part that expands a thousandfold',
      async () => buildDocx({ parts: [{ name: 'word/media/a.png', content: Buffer.alloc(3 * 1024 * 1024) }] }),
      'oversize',
    ],
  ])('has %s', async (_what, build, expected) => {
    expect(await code(await build())).toBe(expected);
  });

  test('has more entries than the limit', async () => {
    expect(await code(await buildMacroFreeDocx(), { ...DEFAULT_ENGINE_LIMITS, entries: 3 })).toBe('oversize');
  });

  test('nests elements deeper than the limit', async () => {
    const body = '<w:p>'.repeat(300) + '</w:p>'.repeat(300);
    expect(await code(await buildDocx({ body }))).toBe('oversize');
  });
});

/** The plain document with more entries in its archive. */
async function buildWith(extra: readonly (readonly [string, string])[]): Promise<Uint8Array> {
  const parts = await officeParts(await buildMacroFreeDocx());
  return buildZip([...parts, ...extra]);
}
