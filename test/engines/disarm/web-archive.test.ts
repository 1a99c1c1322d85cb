/** Saved web pages: what ordinary ones keep, and what hostile ones lose. */
import { describe, expect, test } from 'vitest';
import { buildPng } from '../../fixtures/build-image.ts';
import {
  chromeArchive,
  explorerArchive,
  type Saved,
  WEB_ARCHIVES,
  wordArchive,
} from '../../fixtures/build-web-archive.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

describe.each(Object.entries(WEB_ARCHIVES))('a page that %s saved', (_program, archive) => {
  test('comes back as one page with its words, its picture and its links', async () => {
    const { text, extension } = await disarmed(archive(), 'saved.mht');
    expect(extension).toBe('html');
    expect(text).toContain('word0 word1');
    expect(text).toContain('word118 word119');
    expect(text).toMatch(/<img [^>]*src="data:image\/png;base64,/);
    expect(text).toMatch(/<a href="https?:\/\/[^"]*\/next\.html">Next page<\/a>/);
  });

  test('loses what acts, and addresses that load', async () => {
    const hostile = `<script>LIVE</script><p onclick="LIVE()">kept</p><a href="javascript:LIVE">x</a>
      <object data="LIVE.swf"></object><img src="https://tracker.example/LIVE.gif"><form action="https://LIVE.example"></form>
      <link rel=stylesheet href="https://LIVE.example/a.css"><iframe src="https://LIVE.example/"></iframe>`;
    const { text } = await disarmed(archive({ more: hostile }), 'saved.mht');
    expect(text).toContain('kept');
    expect(text).not.toContain('LIVE');
  });

  test('loses parts that only Office or a plug-in opens', async () => {
    const part = (type: string, content: string) =>
      `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\nContent-Location: file:///C:/a_files/x.mso\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`;
    const parts = [part('application/x-mso', 'ActiveMime LIVE'), part('application/octet-stream', 'ActiveMime LIVE')];
    const { text, kinds } = await disarmed(archive({ parts }), 'saved.mht');
    expect(text).not.toContain(Buffer.from('ActiveMime').toString('base64').slice(0, 12));
    expect(kinds).toContain('macro');
  });
});

test('the sheets that the page names are in it, each for its own media', async () => {
  const { text } = await disarmed(chromeArchive(), 'saved.mht');
  expect(text).toContain('h1 { color: navy }');
  expect(text).toMatch(/@media print ?{[^}]*h1 { display: none/);
});

test('relative links start from the address of the page, and from no other', async () => {
  const { text } = await disarmed(explorerArchive({ more: '<a href="/top">Top</a>' }), 'saved.mht');
  expect(text).toContain('href="http://bus.example/lines/next.html"');
  expect(text).toContain('href="http://bus.example/top"');
  const local = await disarmed(wordArchive({ more: '<a href="secret.docx">Near</a>' }), 'saved.mht');
  expect(local.text).toContain('Near');
  expect(local.text).not.toContain('secret.docx');
});

/** An archive of pages, each with its address and, where a frame names it, its id. */
function archiveOf(...pages: readonly (readonly [address: string, id: string | null, html: string])[]): Buffer {
  const parts = pages.map(
    ([address, id, html]) =>
      `--x\r\nContent-Type: text/html; charset=utf-8\r\n${id === null ? '' : `Content-ID: <${id}>\r\n`}Content-Location: ${address}\r\n\r\n${html}\r\n`,
  );
  const head =
    'From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="x"\r\n\r\n';
  return Buffer.from(`${head}${parts.join('')}--x--\r\n`);
}
const bodyOf = (text: string) => /<body[^>]*>([\s\S]*)<\/body>/.exec(text)?.[1];

test('a page in a frame stands where the frame is, also in a frame of a frame, and others below', async () => {
  const archive = archiveOf(
    [
      'https://a.example/',
      null,
      '<p>one</p><iframe src="cid:f1@x"></iframe><p>five</p><iframe src="https://b.example/"></iframe>',
    ],
    [
      'https://a.example/f1',
      'f1@x',
      '<p>two</p><iframe src="f2.html"></iframe><p>four</p><iframe src="cid:f1@x"></iframe>',
    ],
    ['https://a.example/f2.html', null, '<p>three</p><iframe src="https://a.example/"></iframe>'],
    ['https://a.example/other', null, '<p>six</p>'],
  );
  const { text, kinds } = await disarmed(archive, 'saved.mht');
  expect(bodyOf(text)).toBe(
    '<p>one</p><div><p>two</p><div><p>three</p></div><p>four</p></div><p>five</p><hr><p>six</p>',
  );
  expect(kinds).toContain('frame');
});

test('a set of frames becomes a page of their pages', async () => {
  const archive = archiveOf(
    [
      'https://a.example/',
      null,
      '<html><head></head><frameset cols="20%,*"><frame src="left.html"><frameset><frame src="main.html"></frameset></frameset></html>',
    ],
    ['https://a.example/left.html', null, '<p>left</p>'],
    ['https://a.example/main.html', null, '<p>main</p><script>LIVE</script>'],
  );
  const { text } = await disarmed(archive, 'saved.mht');
  expect(bodyOf(text)).toBe('<div><p>left</p></div><div><div><p>main</p></div></div>');
});

test('a picture of the archive in the style of an element stays', async () => {
  const archive = chromeArchive({ more: `<p style="background-image:url('https://bus.example/none.png')">a</p>` });
  expect((await disarmed(archive, 'saved.mht')).text).not.toContain('none.png');
  const picture = Buffer.from(buildPng()).toString('base64');
  const html = '<td style="background:url(bg.png) navy">cell</td>';
  const whole = archiveOf(['https://a.example/', null, `<table><tr>${html}</tr></table>`]).toString();
  const part = `--x\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-Location: https://a.example/bg.png\r\n\r\n${picture}\r\n--x--`;
  const { text } = await disarmed(Buffer.from(whole.replace('--x--', () => part)), 'saved.mht');
  expect(text).toMatch(/<td style="[^"]*url\((?:&quot;|')data:image\/png;base64,[^"]*navy/);
});

describe('a style sheet in an archive', () => {
  const sheet = (css: string): Saved => ({
    more: '<link rel=stylesheet href="https://shop.example/more.css">',
    parts: [`Content-Type: text/css\r\nContent-Location: https://shop.example/more.css\r\n\r\n${css}\r\n`],
  });

  test.each([
    ['ends its element', 'p { color: red } </style><script>LIVE</script>'],
    ['ends its element in a value', 'p { font-family: "</style><img src=x onerror=LIVE()>" }'],
    ['loads', '@import "https://x.example/LIVE.css"; p { background: url(https://x.example/LIVE) }'],
    ['runs', 'p { behavior: url(LIVE.htc); -moz-binding: url(LIVE); width: expression(LIVE) }'],
    ['opens a comment of HTML', '<!-- p { color: red } --> <svg onload=LIVE>'],
  ])('that %s leaves nothing of it', async (_what, css) => {
    for (const archive of [chromeArchive, explorerArchive]) {
      const { text } = await disarmed(archive(sheet(css)), 'saved.mht');
      expect(text).toContain('word119');
      expect(text).not.toContain('LIVE');
    }
  });
});

test('pictures of the archive that its style sheets and backgrounds name are in the page', async () => {
  const part = (type: string, name: string, content: Uint8Array | string) =>
    `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\nContent-Location: https://site.example/p/${name}\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`;
  const page =
    '<link rel="stylesheet" href="https://site.example/p/a.css"><style>td{background-image:url(x/b.png)}</style><table background="x/b.png"><tr><td class="c">word</td></tr></table>';
  const sheet = '.c{background:url("x/b.png")} p{background:url(https://tracker.example/LIVE.gif)}';
  const parts = [
    part('text/html', 'a.html', page),
    part('text/css', 'a.css', sheet),
    part('image/png', 'x/b.png', buildPng()),
  ];
  const head = 'From: x\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n';
  const { text } = await disarmed(Buffer.from(`${head}${parts.join('')}--b--\r\n`), 'saved.mht');
  expect(text).toMatch(/\.c \{ background: url\("data:image\/png;base64,[^"]{100,}"\) \}/);
  expect(text).toMatch(/td \{ background-image: url\("data:image\/png;base64,[^"]{100,}"\) \}/);
  expect(text).toMatch(/<table background="data:image\/png;base64,[^"]{100,}">/);
  expect(text).not.toContain('LIVE');
});

test('a picture that is none is not carried over', async () => {
  const { text } = await disarmed(explorerArchive({ picture: Buffer.from('<svg onload="LIVE()">') }), 'saved.mht');
  expect(text).toContain('word119');
  expect(text).not.toMatch(/LIVE|data:/);
});

test('an archive without a page, or with parts that programs read in two ways, is refused', async () => {
  expect(await refusalCode('MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nhello', 'saved.mht')).toBe(
    'unreadable',
  );
  const twice = explorerArchive().replace(
    'Content-Type: text/html',
    'Content-Type: text/plain\r\nContent-Type: text/html',
  );
  expect(await refusalCode(twice, 'saved.mht')).toBe('unreadable');
});
