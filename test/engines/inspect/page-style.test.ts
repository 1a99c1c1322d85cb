/** The style of a page as the second look reads it: what ordinary mail uses is read, and everything else is a finding. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, secondLookOf } from '../../../lib/formats/file-types.ts';

async function found(page: string): Promise<string[]> {
  const file = { bytes: Buffer.from(page), type: describeType('text/html') };
  const { leftovers } = await inspectOutput(file, file, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
  return leftovers.map(({ id }) => id);
}
const ofStyle = (style: string) => found(`<p style='${style.replaceAll("'", '&#39;')}'>a</p>`);
const ofSheet = (sheet: string) => found(`<style>${sheet}</style>`);
const words = (text: string) => text.trim().split(/\s+/);

const ORDINARY = words(`
  background background-color background-image background-position background-position-x font font-size font-family
  font-variant-east-asian border border-top border-top-color border-top-left-radius border-collapse margin margin-left
  padding padding-top outline outline-color list-style list-style-type flex flex-grow text-decoration text-decoration-line
  text-decoration-skip-ink width height min-width max-width min-height max-height text-align text-indent text-transform
  text-overflow text-shadow text-underline-offset text-size-adjust -webkit-text-size-adjust -moz-text-size-adjust
  -ms-text-size-adjust page-break-after break-before page-break-inside overflow overflow-x overflow-y overflow-wrap
  align-content align-items align-self word-break word-wrap word-spacing gap row-gap column-gap color opacity visibility
  line-height letter-spacing vertical-align white-space hyphens direction line-break table-layout caption-side empty-cells
  display float clear box-sizing box-shadow orphans widows cursor object-fit aspect-ratio order justify-content
  color-scheme supported-color-schemes -ms-interpolation-mode -webkit-font-smoothing -webkit-text-fill-color
  -webkit-border-radius -moz-osx-font-smoothing mso-line-height-rule mso-table-lspace mso-table-rspace mso-padding-alt
  mso-margin-top-alt mso-margin-bottom-alt mso-text-raise mso-border-alt
`);
/** Properties that move, cover, draw, load or change over time, and names that only look like ordinary ones. */
const OTHERS = words(`
  position top left right bottom inset z-index transform translate rotate scale zoom filter backdrop-filter content counter-reset
  quotes animation animation-name transition will-change clip clip-path mask mask-image mix-blend-mode perspective offset-path
  behavior -moz-binding src unicode-range pointer-events shape-outside columns column-count grid grid-area writing-mode
  unicode-bidi text-orientation -webkit-mask -webkit-transform mso-element mso-hide --x xwidth widthx min-color max-display
  backgroundx text-combine-upright text-emphasis font-a-b-c-d word-x align-x break-x overflow-block -o-text-size-adjust page-width
  color2 text_align
`);

describe('a property', () => {
  test.each(ORDINARY)('%s is ordinary, in any case', async (name) => {
    expect(await ofStyle(`${name}: inherit`)).toEqual([]);
    expect(await ofStyle(`${name.toUpperCase()}:INHERIT`)).toEqual([]);
  });
  test.each(OTHERS)('%s is a finding', async (name) => {
    expect(await ofStyle(`${name}: inherit`)).toContain('html-strange-style');
    expect(await ofStyle(`color: red; ${name}: inherit; color: red`)).toContain('html-strange-style');
  });
});

describe('a value', () => {
  test.each([
    'red',
    'Red',
    'x-large',
    '-webkit-box',
    '_a',
    'Größe',
    '10px',
    '-10px',
    '1.5em',
    '1.em',
    '.5em',
    '-.5em',
    '0',
    '50%',
    '#fff',
    '#FFFFFF',
    '#ffffff80',
    '"Times New Roman", serif',
    '\'Segoe UI\', "Größe 2_a.b-c"',
    '""',
    '1px solid #ccc',
    '10px/1.5 Arial',
    'rgb(0, 0, 0)',
    'rgba(0,0,0,.5)',
    'hsl(120, 50%, 50%)',
    'hsla(120, 50%, 50%, 0.5)',
    'calc(100% - 10px)',
    'calc((100% + 2px) * 2)',
    'min(10px, 5%)',
    'max(10px, 5%)',
    'clamp(1px, 2px, 3px)',
    'linear-gradient(to right, #fff, rgba(0,0,0,.5))',
    'radial-gradient(circle, red, blue)',
    'red !important',
    'red ! important',
    'red!important',
    'red !IMPORTANT',
    'a\n  b\tc',
  ])('is ordinary: %j', async (value) => {
    expect(await ofStyle(`background: ${value}`)).toEqual([]);
    expect(await ofStyle(`background:${value};;`)).toEqual([]);
  });

  test.each([
    '',
    'attr(x)',
    'var(--x)',
    'env(x)',
    'a(b)',
    'rgbx(1)',
    'xrgb(1)',
    '-calc(1)',
    'conic-gradient(red, blue)',
    'repeating-linear-gradient(red, blue)',
    'rgb(0',
    'rgb(0))',
    ')red(',
    '#ff',
    '#fffffffff',
    '#ggg',
    '#fff(',
    '1px2',
    '1pxxxxxx',
    '1..5',
    '1%%',
    '10(',
    '"a',
    '"a:b"',
    '"a/b"',
    '"a(b"',
    "'a;b'",
    '"a\\62"',
    'a\\62',
    '{}',
    '[a]',
    '@a',
    'a*b',
    'a ?',
    '!imp',
    '!important red',
    'red !importantly',
    'a=b',
    'a<b',
    'U+26',
    '$a',
    '`a`',
    'a:b',
  ])('is a finding: %j', async (value) => {
    expect(await ofStyle(`background: ${value}`)).toContain('html-strange-style');
  });

  test.each(['margin', 'margin-top', 'margin-bottom', 'MARGIN-TOP'])(
    'of %s moves nothing up over what is above it',
    async (name) => {
      for (const value of ['-1px', '-.5em', '0 -1px', 'calc(1px)', 'min(1px, 2px)'])
        expect(await ofStyle(`${name}: ${value}`), value).toEqual(['html-strange-style']);
      for (const value of ['1px', 'auto', '0 0 1px 1px']) expect(await ofStyle(`${name}: ${value}`), value).toEqual([]);
    },
  );
  test.each(['margin-left', 'margin-right', 'text-indent'])('of %s may be below zero', async (name) => {
    expect(await ofStyle(`${name}: -1px`)).toEqual([]);
    expect(await ofStyle(`${name}: calc(1px)`)).toEqual([]);
  });

  test('without a property, or a property without a value, is a finding', async () => {
    for (const style of ['red', 'color', 'color red', ':red', 'color:red:blue', '/**/color: red', 'c olor: red'])
      expect(await ofStyle(style), style).toContain('html-strange-style');
    for (const style of ['', ';', ' ; ', 'color :red', ' color: red ', '\tcolor:\nred\r\n;\fcolor: red'])
      expect(await ofStyle(style), style).toEqual([]);
  });
});

describe('a rule', () => {
  test.each([
    'p',
    '*',
    'p.a',
    '.a-b_c',
    '#a',
    'p, .a',
    'p .a',
    'p > .a',
    'p + .a',
    'p ~ .a',
    'a:link',
    'a:visited:hover',
    'a:active',
    'a:focus',
    ':root',
    'p:empty',
    'p:first-child',
    'p:last-child',
    'p:only-child',
    'p:first-of-type',
    'p:last-of-type',
    'p:checked',
    'p:target',
    'tr:nth-child(odd)',
    'tr:nth-child(even)',
    'tr:nth-of-type(2)',
    'tr:nth-of-type(2n)',
    'tr:nth-child(n)',
    'p[align]',
    'p[class="a b.c:d-e"]',
    'p[class~="a"]',
    'p[class|="a"]',
    'p[class^="a"]',
    'p[class$="a"]',
    'p[class*="a"]',
    'u + .body',
    '-x',
  ])('is of ordinary places: %s', async (selector) => {
    expect(await ofSheet(`${selector} { color: red }`)).toEqual([]);
    expect(await ofSheet(`a { color: red }\n${selector} { color: red; width: 1px }\nb { color: red }`)).toEqual([]);
  });

  test.each([
    'p::before',
    'p::after',
    'p:before',
    'p:has(a)',
    'p:not(a)',
    'p:nth-child(2n+1)',
    'p:nth-child(1234)',
    'p:first-line',
    'p:links',
    '1a',
    '.1a',
    'p>a',
    'p[a=b]',
    "p[a='b']",
    'p[a="b(c"]',
    'p[a="b" i]',
    'p|a',
    'p\\61',
    'p/**/a',
    '&',
    'p@a',
    'p<a',
    'p}',
    '%',
    '50%',
  ])('is of no other place: %s', async (selector) => {
    expect(await ofSheet(`${selector} { color: red }`)).toContain('html-strange-sheet');
  });

  test.each([
    'p {color: red}',
    'p { color: red}',
    'p {color: red }',
    'p { color: red } ',
    'p { }',
    'p { color: red } a { color: red }',
    'p { a { color: red } }',
    'p { color: red',
    'p color: red }',
    '{ color: red }',
    'p { position: fixed }',
    'p { color: red; position: fixed }',
    'p { color: <b }',
    '<!-- p { color: red } -->',
    'p { color: red }\n',
    '\np { color: red }',
    '}',
    'a',
  ])('is written in one form: %j', async (sheet) => {
    expect(await ofSheet(sheet)).toContain('html-strange-sheet');
  });
});

describe('a condition', () => {
  const inside = (medium: string) => ofSheet(`@media ${medium} {\np { color: red }\n}`);

  test.each([
    'all',
    'screen',
    'print',
    'handheld',
    'projection',
    'only screen',
    'not print',
    'screen, print',
    'screen and (max-width: 600px)',
    '(max-width: 600px)',
    '(prefers-color-scheme: dark)',
    '(min-width: 1.5em) and (max-width: 9em)',
    '(color)',
    '(aspect-ratio: 16/9)',
    '(a: b) or (c: d)',
  ])('is on an ordinary medium: %s', async (medium) => {
    expect(await inside(medium)).toEqual([]);
  });

  test.each([
    '',
    'url(a)',
    'screens',
    'xscreen',
    'screen(a)',
    '(max-width:600px)',
    '(a: "b")',
    '(a: b(c))',
    '(1a: b)',
    'tv',
    'screen;',
    '(a: b',
  ])('is on no other: %j', async (medium) => {
    expect(await inside(medium)).toContain('html-strange-sheet');
  });

  test('holds rules and ends', async () => {
    const rule = 'p { color: red }';
    expect(await ofSheet(`@media screen {\n${rule}\n${rule}\n}\n${rule}\n@media print {\n${rule}\n}`)).toEqual([]);
    expect(await ofSheet('@media screen {\n}')).toEqual([]);
    for (const sheet of [
      `@media screen {\n${rule}`,
      '@media screen {',
      `@media screen {\n@media print {\n${rule}\n}\n}`,
      `@media screen {\n${rule}\n}\n}`,
      `@media screen{\n${rule}\n}`,
      `@media screen {\nposition: fixed\n}`,
      `@media screen {\np { position: fixed }\n}`,
      `@supports screen {\n${rule}\n}`,
      '@import "a";',
      '@charset "utf-8";',
      '@font-face { font-family: a }',
      '@namespace a;',
      `@import "a"; @media screen {\n${rule}\n}`,
      '@media screen { p { color: red } }',
    ])
      expect(await ofSheet(sheet), sheet).toContain('html-strange-sheet');
  });
});
