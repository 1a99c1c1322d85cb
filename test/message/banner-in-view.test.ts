/** What stands in the first view of a window, in the real Chromium: a banner, whatever the page says about its own box. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { pageWithBanner } from '../../lib/message/banner/page.ts';
import { bannerHtml } from '../../lib/words/banner.ts';
import { programPath } from '../checkers/tools.ts';
import { testWith } from '../programs.ts';

const CHROMIUM = programPath('chromium');
const browserTest = testWith('Chromium', CHROMIUM !== null);
const WINDOW = { width: 800, height: 600 };
const BANNER = bannerHtml({
  language: 'en',
  counts: {
    filesMadeSafe: 1,
    filesAsPreview: 0,
    textsMadeSafe: 0,
    linksOff: 0,
    filesWithheld: 0,
    textsWithheld: 0,
    filesLater: 0,
    isWhole: 0,
  },
  help: { contact: '', deskUrl: '' },
  runId: '45b977f451c98335db42c0332efd6295',
  templates: {},
});
const WORDS = '<h1>Your account</h1><p>Dear Bob, everything is fine with this message.</p>';
const INNER = `<div class=w><div class=i>${WORDS}</div></div>`;
const page = (style: string, body = INNER, tag = '<body>') =>
  `<!DOCTYPE html><html><head><title>x</title><style>${style}</style></head>${tag}${body}</body></html>`;

let browser: Browser | null = null;
let window: Page | null = null;
beforeAll(async () => {
  if (CHROMIUM === null) return;
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--host-resolver-rules=MAP * ~NOTFOUND', '--disable-gpu'],
    chromiumSandbox: false,
  });
  window = await browser.newPage({ viewport: WINDOW, javaScriptEnabled: true });
});
afterAll(() => browser?.close());

async function measured<T>(html: string, script: string): Promise<T> {
  if (window === null) throw new Error('Chromium was not started');
  await window.setContent(html);
  return window.evaluate<T>(script);
}

/** Where the banner is, and whether the words of its first line are on top there. */
const SIGHT = `(() => {
  const banner = document.querySelector('.mail-airlock-banner');
  const line = banner.querySelector('b').getBoundingClientRect();
  const seen = document.elementFromPoint(line.left + 5, line.top + line.height / 2);
  return { left: line.left, top: line.top, right: line.right, bottom: line.bottom, isOnTop: banner.contains(seen) };
})()`;
interface Sight {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly isOnTop: boolean;
}

describe('the banner is in the first view', () => {
  browserTest.each([
    [
      'a column against the flow',
      page('body{padding-top:3000px}.w{display:flex;flex-direction:column-reverse;height:0}.i{min-height:3080px}'),
    ],
    ['words from the right', page('body{padding-left:3000px;width:300px}.w{direction:rtl}.i{width:3300px}')],
    [
      'the end of a row',
      page('body{padding-left:3000px;width:300px}.w{display:flex;justify-content:flex-end}.i{min-width:3300px}'),
    ],
    ['an indent', page('body{padding-left:3000px;width:300px}.i{text-indent:-2900px;white-space:nowrap}')],
    [
      'the bottom of a row',
      page('body{padding-top:3000px}.w{display:flex;align-items:flex-end;height:0}.i{height:3000px}'),
    ],
    [
      'attributes and own style',
      '<html dir=rtl><body topmargin=3000 leftmargin=3000 marginwidth=3000 marginheight=3000 style="padding-right:9999px;' +
        `border-top:3000px solid white;border-left:3000px solid white;min-width:9000px;margin-right:9999px">${WORDS}`,
    ],
    [
      'padding in every way of saying it',
      page(
        'html{padding:3000px!important}#b#b{padding-inline:3000px!important;margin-block:9em}',
        WORDS,
        '<body id=b>',
      ),
    ],
    [
      'under a condition',
      page('@media screen{:root>*{margin:3000px!important;-webkit-padding-before:3000px!important}}'),
    ],
    ['large letters', page('*{font-size:900px;margin:3em;padding:3rem}.i{font-size:9px;margin:0;padding:0}')],
    ['the end of the body', page('body{min-height:3000px;align-content:end}html{min-height:3000px;align-content:end}')],
    ['the head', page('head,title{display:block!important;height:3000px;padding:3000px 0 0}')],
    [
      'a head that is not written',
      '<title>x</title><html><head><style>head{display:block;height:3000px}</style><body>x',
    ],
    ['a head that is only ended', '<html></head><head><style>head{display:block;height:3000px}</style></head><body>x'],
    ['a space that is text', '<html>\u00a0<head><style>body{font-size:2000px}</style></head><body>x'],
    ['a wide body', page('body{min-width:9000px;max-width:9000px;width:9000px;direction:rtl}')],
  ])('%s', async (_, html) => {
    const { left, top, right, bottom, isOnTop } = await measured<Sight>(pageWithBanner(html, BANNER, 'top'), SIGHT);
    expect(isOnTop).toBe(true);
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(WINDOW.width);
    expect(bottom).toBeLessThanOrEqual(200);
  });

  browserTest('at the end of a short page, too', async () => {
    const html = page('body{padding:3000px;border:900px solid}html{margin:3000px}', WORDS);
    const { left, bottom, isOnTop } = await measured<Sight>(pageWithBanner(html, BANNER, 'bottom'), SIGHT);
    expect(isOnTop).toBe(true);
    expect(left).toBeLessThanOrEqual(40);
    expect(bottom).toBeLessThanOrEqual(WINDOW.height);
  });
});

const BOX = `(() => {
  const { left, right, top } = document.querySelector('#words').getBoundingClientRect();
  const { backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(document.body);
  const above = document.querySelector('.mail-airlock-banner')?.getBoundingClientRect().height ?? -16;
  return { left, right, top: Math.round(top - above - 16), backgroundColor, borderTopColor, borderTopWidth };
})()`;

describe('the words of an ordinary page stay at their place below the banner', () => {
  const div = '<div id=words>words</div>';
  browserTest.each([
    ['no style', page('', div)],
    ['no margin', page('body{margin:0;padding:0;width:100%!important;min-width:100%}', div, '<body bgcolor="#eee">')],
    ['attributes', page('', div, '<body topmargin="0" leftmargin="0" marginwidth="0" marginheight="0">')],
    [
      'a padding',
      page('html, body { margin: 0 !important; padding: 20px 1em }', div, '<body style="padding-top:30pt">'),
    ],
    ['a narrow one in the middle', page('body{width:600px;margin:0 auto;padding:12px}', div)],
    [
      'a class',
      page(
        '.email-body{margin:0;max-width:640px}* {margin:0}#words{margin:0}body{margin:4px}',
        div,
        '<body class="x email-body">',
      ),
    ],
    ['a border', page('body{margin:0;border-top:6px solid #f00;background:#fafafa}', div)],
  ])('%s', async (_, html) => {
    const before = await measured(html, BOX);
    expect(await measured(pageWithBanner(html, BANNER, 'top'), BOX)).toEqual(before);
  });
});
