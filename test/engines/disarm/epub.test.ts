/** Books keep their chapters in order, their words, looks, pictures and table of contents. */
import { expect, test } from 'vitest';
import { type BookOptions, buildEpub } from '../../fixtures/build-epub.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { zipMembersOf } from '../../hostile/disarm/layers.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

async function book(options: BookOptions) {
  const { bytes, kinds, extension } = await disarmed(await buildEpub(options), 'a.epub');
  const members = new Map(zipMembersOf(bytes).map(([name, content]) => [name, content.toString()]));
  return { bytes, kinds, extension, members, part: (name: string) => members.get(`OEBPS/${name}`) ?? '' };
}

const PICTURE = ['images/a b.png', 'image/png', buildPng()] as const;

test('the type comes first and is not packed, and every part is listed', async () => {
  const { bytes, members, extension, part } = await book({ chapters: ['<p>one</p>', '<p>two</p>'] });
  expect(extension).toBe('epub');
  expect(Buffer.from(bytes.subarray(30, 58)).toString()).toBe('mimetypeapplication/epub+zip');
  expect([...members.keys()]).toEqual([
    'mimetype',
    'META-INF/container.xml',
    'OEBPS/content.opf',
    'OEBPS/nav.xhtml',
    'OEBPS/toc.ncx',
    'OEBPS/chapter-1.xhtml',
    'OEBPS/chapter-2.xhtml',
  ]);
  expect(part('chapter-2.xhtml')).toContain('<body><p>two</p></body>');
  expect(part('content.opf')).toContain('<itemref idref="chapter-1"/><itemref idref="chapter-2"/>');
  expect(part('nav.xhtml')).toContain('<li><a href="chapter-2.xhtml">Chapter 2</a></li>');
  expect(part('toc.ncx')).toContain('<navLabel><text>Chapter 2</text></navLabel><content src="chapter-2.xhtml"/>');
});

test('a second pass changes nothing', async () => {
  const { bytes } = await book({
    chapters: [
      '<h1>One</h1><pre>\n a</pre><p>x<a id="p1"/>y<br/>z</p><img src="../images/a%20b.png" alt="A &amp; B"/>',
      '<p>two</p>',
    ],
    files: [PICTURE],
    head: '<style>p { color: red } h1 > b { margin: 1em }</style>',
  });
  expect((await disarmed(bytes, 'a.epub')).outcome).toBe('already_safe');
});

test('links between chapters, notes and pictures lead to the same places under their new names', async () => {
  const { part } = await book({
    chapters: [
      '<p><a href="ch2.xhtml#n1">note</a> <a href="#here">here</a> <a href="https://www.example.com/">web</a></p><p><img src="../images/a%20b.png" alt="x"/></p>',
      '<p id="n1"><a id="back"/>A note</p>',
    ],
    files: [PICTURE],
  });
  expect(part('chapter-1.xhtml')).toContain(
    '<p><a href="chapter-2.xhtml#n1">note</a> <a href="#here">here</a> <a href="https://www.example.com/">web</a></p><p><img src="images/picture-1.png" alt="x"/></p>',
  );
  expect(part('chapter-2.xhtml')).toContain('<p id="n1"><a id="back"></a>A note</p>');
});

test('the rules of its style sheets stand in the chapter', async () => {
  const { part, kinds } = await book({
    chapters: ['<p class="a" xml:lang="de">x</p>'],
    head: '<link rel="stylesheet" type="text/css" href="../style.css"/>',
    files: [
      [
        'style.css',
        'text/css',
        '@font-face{font-family:x;src:url(x.otf)} p.a > b { color: red; background: url(x.png) }',
      ],
    ],
  });
  expect(part('chapter-1.xhtml')).toMatch(/<style>p\.a ?(?:>|&gt;) ?b ?\{ ?color: ?red;? ?\}<\/style>/);
  expect(part('chapter-1.xhtml')).not.toContain('url');
  expect(part('chapter-1.xhtml')).toContain('<p class="a" lang="de">');
  expect(kinds).toContain('page style');
});

test('the picture in the drawing of a cover stays, and the book has a cover', async () => {
  const { part } = await book({
    chapters: [
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"><image width="9" height="9" xlink:href="../images/a%20b.png"/></svg>',
    ],
    files: [PICTURE],
    metadata: '<meta name="cover" content="f0"/>',
  });
  expect(part('chapter-1.xhtml')).toContain('<img src="images/picture-1.png"/>');
  expect(part('content.opf')).toContain('media-type="image/png" properties="cover-image"/>');
});

test('a drawing in a chapter becomes a picture of the book, once, without what acts', async () => {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" viewBox="0 0 9 9"><script>LIVE</script><circle r="4" onclick="LIVE"/><text>Fig. 1</text></svg>';
  const { bytes, part, members } = await book({ chapters: [`<p>a&#160;b</p>${drawing}`, drawing] });
  expect(part('chapter-1.xhtml')).toContain('<img src="images/picture-1.svg" width="90" alt="Fig. 1"/>');
  expect(part('chapter-2.xhtml')).toContain('<img src="images/picture-1.svg" width="90" alt="Fig. 1"/>');
  expect(part('images/picture-1.svg')).toMatch(/<circle r="4"\/><text>Fig\. 1<\/text>/);
  expect([...members.values()].join()).not.toContain('LIVE');
  expect(Buffer.from((await disarmed(bytes, 'a.epub')).bytes).equals(Buffer.from(bytes))).toBe(true);
});

test('a formula becomes words in one line', async () => {
  const MATH = 'xmlns="http://www.w3.org/1998/Math/MathML"';
  const formula = `<math ${MATH}><mi>x</mi><mo>=</mo><mfrac><mrow><mo>-</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi><mn>2</mn></msup></msqrt></mrow><mn>2</mn></mfrac><semantics><mi>y</mi><annotation>LATEX</annotation></semantics></math>`;
  const { part, kinds } = await book({ chapters: [`<p>So ${formula} holds.</p>`] });
  expect(part('chapter-1.xhtml')).toContain('<p>So <span>x = (-b±√(b^2))/2y</span> holds.</p>');
  expect(kinds).toContain('foreign markup');
});

test('a book of an older form keeps its table of contents with its levels', async () => {
  const inner =
    '<navPoint id="x"><navLabel><text>Part</text></navLabel><content src="text/ch1.xhtml#a"/><navPoint id="y"><navLabel><text>Inner</text></navLabel><content src="text/ch1.xhtml#b"/></navPoint></navPoint>';
  const { part } = await book({ isOld: true, navigation: inner });
  expect(part('nav.xhtml')).toContain(
    '<li><a href="chapter-1.xhtml#a">Part</a><ol><li><a href="chapter-1.xhtml#b">Inner</a></li></ol></li>',
  );
});

test('who wrote it is left out, and title and language stay', async () => {
  const { part, kinds } = await book({ metadata: '<dc:creator>Ann Writer</dc:creator>' });
  expect(part('content.opf')).toContain('<dc:title>A book</dc:title><dc:language>en</dc:language>');
  expect(part('content.opf')).not.toContain('Ann');
  expect(kinds).toEqual(['author']);
});

test('fonts, films and scripts are left out, and said', async () => {
  const { kinds, members } = await book({
    files: [
      ['a.otf', 'application/vnd.ms-opentype', 'OTTO'],
      ['a.mp4', 'video/mp4', 'x'],
      ['a.js', 'text/javascript', 'x'],
    ],
    more: [
      [
        'META-INF/encryption.xml',
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="OPS/a.otf"/></enc:CipherData></enc:EncryptedData></encryption>',
      ],
    ],
  });
  expect(kinds).toEqual(['embedded font', 'media', 'script']);
  expect(members.size).toBe(6);
});

test.each([
  [
    'protected',
    'encrypted',
    {
      more: [
        [
          'META-INF/encryption.xml',
          '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:CipherReference URI="OPS/text/ch1.xhtml"/></encryption>',
        ],
      ],
    },
  ],
  ['without chapters', 'unreadable', { chapters: [] }],
  ['damaged', 'unreadable', { manifest: '<item>' }],
] satisfies [string, string, BookOptions][])('a book that is %s is refused as %s', async (_, code, options) => {
  expect(await refusalCode(await buildEpub(options), 'a.epub')).toBe(code);
});
