/** What a person sees of one part: pictures that were drawn here, texts that are only text, and nothing of what is not a part of the mail. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { DRAWN_LIMITS } from '../../lib/formats/drawn/draw-request.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { emailWith } from '../pipeline/rig.ts';
import { openDesk } from './desk-rig.ts';
import { elementsOf, strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

const ALSO = { elements: ['img', 'iframe'], attributes: ['src', 'alt', 'sandbox', 'title'] };

/** A document of so many empty pages. */
function pdfOf(pages: number): string {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`).join(' ');
  const leaves = Array.from(
    { length: pages },
    (_, at) => `${at + 3} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]>>endobj`,
  );
  return [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    `2 0 obj<</Type/Pages/Kids[${kids}]/Count ${pages}>>endobj`,
    ...leaves,
    'trailer<</Root 1 0 R>>',
    '%%EOF',
  ].join('\n');
}

const OOXML = {
  docx: ['word/document.xml', 'wordprocessingml.document.main+xml'],
  xlsx: ['xl/workbook.xml', 'spreadsheetml.sheet.main+xml'],
  pptx: ['ppt/presentation.xml', 'presentationml.presentation.main+xml'],
} as const;

/** A package with these parts, and what makes it one of its type. */
function officeOf(name: string, files: Readonly<Record<string, string>>): Buffer {
  const type = name.slice(2);
  if (type === 'odt') return zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', ...files });
  const [main, ending] = OOXML[type as keyof typeof OOXML];
  const override = `<Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${ending}"/>`;
  return zipOf({ '[Content_Types].xml': `<Types>${override}</Types>`, [main]: '<x/>', ...files });
}

async function deskWith(files: Parameters<typeof emailWith>[0]) {
  const desk = await openDesk('analyst');
  const runId = await desk.scan(emailWith(files));
  const { parts } = await desk.rig.ledger(runId);
  const pathOf = (name: string) => parts.find(({ untrustedNames }) => untrustedNames[0] === name)?.path ?? '';
  const page = async (path: string) => (await desk.get(`/mails/${runId}/parts/${path}`)).text();
  return { ...desk, runId, parts, pathOf, page, at: (path: string) => `/mails/${runId}/parts/${path}` };
}

describe('a picture', () => {
  const drawnFrom = async (bytes: Uint8Array | string, name = 'logo.png') => {
    const desk = await deskWith({ files: [{ name, bytes }] });
    const path = desk.pathOf(name);
    return { ...desk, path, answer: await desk.get(`${desk.at(path)}/before/1`), text: await desk.page(path) };
  };

  test('is drawn on both sides, as a PNG of ours that has its pixels and nothing else of it', async () => {
    const ownText = { IFD0: { Copyright: 'words in the file' } };
    const png = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#ff0000' } })
      .withExif(ownText)
      .png()
      .toBuffer();
    expect(png.includes('words in the file')).toBe(true);
    const { answer, text, get, at, path } = await drawnFrom(png);
    const drawn = Buffer.from(await answer.arrayBuffer());
    expect([answer.headers.get('content-type'), drawn.includes('words in the file')]).toEqual(['image/png', false]);
    expect(await sharp(drawn).metadata()).toMatchObject({ format: 'png', width: 40, height: 20 });
    expect((await get(`${at(path)}/after/1`)).status).toBe(200);
    expect(elementsOf(text).filter(({ name }) => name === 'img')).toHaveLength(2);
    expect(strangeIn(text, ALSO)).toEqual([]);
  });

  test('larger than a page is drawn smaller', async () => {
    const wide = await sharp({ create: { width: 3_000, height: 10, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const { answer } = await drawnFrom(wide);
    expect((await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width).toBe(DRAWN_LIMITS.longestSide);
  });

  test('of more pixels than are decoded is not drawn', async () => {
    const side = Math.ceil(Math.sqrt(DRAWN_LIMITS.inputPixels)) + 1;
    const huge = await sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const { answer, text } = await drawnFrom(huge);
    expect([answer.status, text.includes('It cannot be shown')]).toEqual([404, true]);
  });

  test.each([
    [
      'in a language of vectors',
      '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://evil.example/x"/></svg>',
      'a.svg',
    ],
    ['that is damaged', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(50)]), 'a.png'],
  ])('%s is not drawn, and the page says so', async (_, bytes, name) => {
    const { answer, text } = await drawnFrom(bytes, name);
    expect([answer.status, text.includes('It cannot be shown')]).toEqual([404, true]);
  });
});

describe('a PDF', () => {
  test('is drawn page by page', async () => {
    const { page, pathOf } = await deskWith({ files: [{ name: 'a.pdf', bytes: pdfOf(2) }] });
    const text = await page(pathOf('a.pdf'));
    expect(elementsOf(text).filter(({ name }) => name === 'img').length).toBeGreaterThanOrEqual(2);
    expect(text).not.toContain('There is more than is shown.');
  });

  test('with more pages than are drawn says so', async () => {
    const { page, pathOf, get, at } = await deskWith({
      files: [{ name: 'a.pdf', bytes: pdfOf(DRAWN_LIMITS.pages + 1) }],
    });
    expect(await page(pathOf('a.pdf'))).toContain('There is more than is shown.');
    expect((await get(`${at(pathOf('a.pdf'))}/before/${DRAWN_LIMITS.pages}`)).status).toBe(200);
    expect((await get(`${at(pathOf('a.pdf'))}/before/${DRAWN_LIMITS.pages + 1}`)).status).toBe(404);
  });
});

describe('a body', () => {
  test('is text in a frame without a place, network or scripts, as it came and as it is delivered', async () => {
    const { parts, page, get, at } = await deskWith({
      html: '<p>One</p><script>two()</script><p>Three <a href="https://www.sender.example/x">four</a></p>',
    });
    const path = parts.find(({ typeGroup }) => typeGroup === 'html')?.path ?? '';
    const text = await page(path);
    const frames = elementsOf(text).filter(({ name }) => name === 'iframe');
    expect(frames.map(({ attributes }) => attributes.find(({ name }) => name === 'sandbox')?.value)).toEqual(['', '']);
    const before = await get(`${at(path)}/before/text`);
    const policy = before.headers.get('content-security-policy') ?? '';
    expect([policy.includes("default-src 'none'"), /; sandbox$/.test(policy), policy.includes('allow-')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(before.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    const words = await before.text();
    expect(words).toContain('One<br/>');
    expect(words).toContain('Three four [hxxps://www[.]sender[.]example/x]');
    expect(words).not.toContain('two()');
    expect((await get(`${at(path)}/after/text`)).status).toBe(200);
  });

  test.each(PAYLOADS)('of %j is only text', async (payload) => {
    const { parts, page, get, at } = await deskWith({
      text: payload,
      html: `<p>${payload}</p>`,
      files: [{ name: `${payload.replace(/["\\\0]/g, '')}.txt`, bytes: payload }],
    });
    for (const { path } of parts.filter(({ sha256 }) => sha256 !== null)) {
      expect(strangeIn(await page(path), ALSO)).toEqual([]);
      const frame = await get(`${at(path)}/before/text`);
      if (frame.status === 200)
        expect(strangeIn(await frame.text(), { elements: ['style'], attributes: [] })).toEqual([]);
    }
  });

  test('is read in the charset of its header, when it is a page', async () => {
    const desk = await openDesk('analyst');
    const head = 'From: a@sender.example\r\nTo: b@rcpt.example\r\nSubject: Hello\r\nMIME-Version: 1.0';
    const type = 'Content-Type: text/html; charset=windows-1251\r\nContent-Transfer-Encoding: base64';
    const page = Buffer.from('<p>\xcf\xf0\xe8\xe2\xe5\xf2</p>', 'latin1').toString('base64');
    const runId = await desk.scan(`${head}\r\n${type}\r\n\r\n${page}\r\n`);
    expect(await (await desk.get(`/mails/${runId}/parts/1/before/text`)).text()).toContain('Привет');
  });

  test.each([
    ['windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
    ['iso-8859-7', '\xc3\xe5\xe9\xdc', 'Γειά'],
    ['utf-8', Buffer.from('Grüße').toString('latin1'), 'Grüße'],
  ])('is read in the charset of its header, when it is plain text in %s', async (charset, bytes, words) => {
    const desk = await openDesk('analyst');
    const head = 'From: a@sender.example\r\nTo: b@rcpt.example\r\nSubject: Hello\r\nMIME-Version: 1.0';
    const type = `Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: base64`;
    const runId = await desk.scan(`${head}\r\n${type}\r\n\r\n${Buffer.from(bytes, 'latin1').toString('base64')}\r\n`);
    expect(await (await desk.get(`/mails/${runId}/parts/1/before/text`)).text()).toContain(words);
  });

  test('that is longer than is shown says so', async () => {
    const { page, get, at } = await deskWith({ text: 'word '.repeat(DRAWN_LIMITS.textChars / 5 + 1) });
    expect(await page('1.1')).toContain('There is more than is shown.');
    expect((await (await get(`${at('1.1')}/before/text`)).text()).length).toBeLessThan(2 * DRAWN_LIMITS.textChars);
  });
});

describe('an Office file', () => {
  const sheet =
    '<worksheet><sheetData><row><c t="s"><v>0</v></c><c><v>42</v></c></row><row><c t="inlineStr"><is><t>in the cell</t></is></c></row></sheetData></worksheet>';
  test.each<[string, Record<string, string>, readonly string[]]>([
    [
      'a.docx',
      {
        'word/document.xml':
          '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>One &lt;b&gt;</w:t></w:r><w:r><w:tab/><w:t>two</w:t></w:r></w:p><w:p><w:r><w:delText>gone</w:delText><w:t>Three</w:t></w:r></w:p></w:body></w:document>',
      },
      ['One &lt;b&gt;', 'two<br/>', 'Three<br/>'],
    ],
    [
      'a.xlsx',
      { 'xl/sharedStrings.xml': '<sst><si><t>Sum</t></si></sst>', 'xl/worksheets/sheet1.xml': sheet },
      ['Sum', '42<br/>', 'in the cell<br/>'],
    ],
    [
      'a.pptx',
      {
        'ppt/slides/slide10.xml': '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>last</a:t></a:r></a:p></p:sld>',
        'ppt/slides/slide9.xml': '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>first</a:t></a:r></a:p></p:sld>',
      },
      ['first<br/>', 'last<br/>'],
    ],
    [
      'a.odt',
      {
        'content.xml':
          '<office:document-content xmlns:office="o" xmlns:text="t"><text:h>Title</text:h><text:p>A <text:span>word</text:span></text:p></office:document-content>',
      },
      ['Title<br/>', 'A word<br/>'],
    ],
  ])('is shown as its text, and the page says why not as pictures: %s', async (name, files, texts) => {
    const { page, get, at, pathOf, runId } = await deskWith({ files: [{ name, bytes: officeOf(name, files) }] });
    const path = pathOf(name);
    expect(await page(path)).toContain('Office files are not drawn here');
    const frame = await (await get(`${at(path)}/before/text`)).text();
    for (const text of texts) expect(frame).toContain(text);
    expect(frame).not.toContain('gone');
    expect(frame.indexOf(texts[0] ?? '')).toBeLessThan(frame.indexOf(texts.at(-1) ?? ''));
    const asFile = await (await get(`/mails/${runId}/report.html`)).text();
    for (const text of texts) expect(asFile).toContain(text);
  });

  test.each([
    ['markup that is broken', '<w:p><w:t>x'],
    ['entities that grow', '<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;">]><w:p><w:t>&c;</w:t></w:p>'],
  ])('with %s cannot be shown, and the page says so', async (_, xml) => {
    const { page, pathOf } = await deskWith({
      files: [{ name: 'a.docx', bytes: officeOf('a.docx', { 'word/document.xml': xml }) }],
    });
    expect(await page(pathOf('a.docx'))).toContain('It cannot be shown');
  });
});

test('what nothing here draws has no link to look at it, and its page says so', async () => {
  const { get, runId, page, pathOf } = await deskWith({ files: [{ name: 'a.bin', bytes: '\x7fELF\x02' }] });
  expect(await (await get(`/mails/${runId}`)).text()).not.toContain(`/parts/${pathOf('a.bin')}"`);
  expect(await page(pathOf('a.bin'))).toContain('It cannot be shown');
});

test('what is not a part of the mail is not there', async () => {
  const { get, send, runId, at } = await deskWith({});
  for (const path of ['1.9', '1', '1.1/before/2', '1.1/other/text', '1.1/before/..', '..%2f..', '1.1%00'])
    expect([path, (await get(at(path))).status]).toEqual([path, 404]);
  expect((await get(`/mails/${'e'.repeat(32)}/parts/1.1`)).status).toBe(404);
  for (const path of [at('1.1'), `${at('1.1')}/before/text`, `/mails/${runId}`])
    expect([path, (await send(path)).status]).toEqual([path, 403]);
});

test('bytes that are gone are said to be gone', async () => {
  const { page, rig, parts, runId } = await deskWith({ text: 'Hello' });
  const { sha256 } = parts.find(({ path }) => path === '1.1') ?? {};
  rig.blobs.remove('work', keys.artifact(sha256 ?? ''));
  rig.blobs.remove('clean', keys.cleanMessage(runId));
  expect(await page('1.1')).toContain('not stored any more');
});
