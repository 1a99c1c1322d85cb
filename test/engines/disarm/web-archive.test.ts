/** Saved web pages: what ordinary ones keep, and what hostile ones lose. */
import { describe, expect, test } from 'vitest';
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

test('pages in frames follow below the page', async () => {
  const { text } = await disarmed(chromeArchive(), 'saved.mht');
  expect(text.indexOf('Framed words')).toBeGreaterThan(text.indexOf('word119'));
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
