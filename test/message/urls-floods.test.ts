/** Pages that are built to make the search for links slow: their work grows with their length, or the search gives up. */
import { describe, expect, test, vi } from 'vitest';
import { parseUrl } from '../../lib/formats/urls/parse-url.ts';
import { findUrls, locateUrls } from '../../lib/message/urls/find.ts';
import { htmlRegions } from '../../lib/message/urls/html/html.ts';
import { effectOfStyle } from '../../lib/message/urls/html/style-declarations.ts';
import { isLinear } from '../growth.ts';

const LIMITS = { urlLength: 8192 };
const find = (html: string) => findUrls(html, 'html', LIMITS);

describe('a flood of style', () => {
  test.each([
    ['selectors with as many declarations', 'b:c;'],
    ['selectors with as many conditions', '@media a{b:c}'],
    ['selectors with as many rules inside', 'i{b:c}d:e;'],
  ])('%s costs no more than its length', async (_, inside) => {
    const page = (size: number) => `<style>${'a,'.repeat(size / 4)}u{${inside.repeat(size / 16)}}</style>`;
    expect(await isLinear(4_000, (size) => find(page(size)))).toBe(true);
  });

  test.each([
    'color:#333;font:bold 14px/1.5 Arial,"Open Sans",sans-serif',
    "font-family:'a b';COLOR : rgb(1, 2, 3) ! important",
    'display:none',
    'display:none;display:',
    'display:inline-block;margin:0 -1px',
    'font-size:0;color:xrgb(1)',
    'unknown:1;opacity:.05',
    '--x:1;;  ;visibility:hidden',
    'margin:1e1px 1.px',
    'color',
  ])('%j is read alike with and without the tokenizer', (style) => {
    expect(effectOfStyle(style)).toEqual(effectOfStyle(`${style};/**/`));
  });
});

describe('a flood of links', () => {
  test('in one list ends where the search gives up', () => {
    expect(htmlRegions(`<img srcset="${'a '.repeat(400_000)}">`).regions.length).toBeLessThan(300_010);
  });

  test('without schemes asks no parser, which would throw for each', () => {
    let asked = 0;
    class CountedUrl extends URL {
      constructor(...given: ConstructorParameters<typeof URL>) {
        asked += 1;
        super(...given);
      }
    }
    vi.stubGlobal('URL', CountedUrl);
    try {
      find('<a href="/wiki/Page">x</a>'.repeat(100));
      expect(asked).toBe(0);
      find('<a href="x:/wiki/Page">x</a>');
      expect(asked).toBeGreaterThan(0);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test.each(['https://a.example/', ' \0https://a.example/', 'ht\ntps:\t//a.example/'])('%j has a scheme', (text) => {
    expect(parseUrl(text)?.href ?? null).toBe('https://a.example/');
  });
});

describe('bases that are none', () => {
  const bases = (count: number) => Array.from({ length: count }, (_, at) => `<base href="x:${at}">`).join('');
  const page = (count: number) => `${bases(count)}<base href="https://a.example/"><a href="b">`;

  test('are passed over', () => {
    const { urls, isComplete } = locateUrls(page(999), { format: 'html' }, LIMITS);
    expect(isComplete).toBe(true);
    expect(urls.map(({ normalised }) => normalised)).toContain('https://a.example/b');
  });

  test('are too many to read all', () => {
    expect(locateUrls(page(1_001), { format: 'html' }, LIMITS).isComplete).toBe(false);
  });
});
