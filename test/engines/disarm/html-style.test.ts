/** Style sheets and styles of pages that are written anew: what stays of ordinary ones, and what an attacker cannot have. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isListedSheet, isListedStyle } from '../../../lib/engines/disarm/html/listed-style.ts';
import { SHEETS_LENGTH, writtenSheet } from '../../../lib/engines/disarm/html/written-sheet.ts';
import { writtenStyle } from '../../../lib/engines/disarm/html/written-style.ts';
import { strangeSheet, strangeStyle } from '../../../lib/engines/inspect/page-style.ts';
import { roundsOf } from '../../hostile/share.ts';
import { disarmed } from './run-disarm.ts';

const sheet = (css: string) => writtenSheet(css, '');

describe('a style sheet keeps', () => {
  test.each([
    [
      'classes, colours and fonts',
      '.a,td.b{color:#333;font:bold 12px/1.5 Arial,"Open Sans"}',
      '.a, td.b { color: #333; font: bold 12px/1.5 Arial,"Open Sans" }',
    ],
    [
      'conditions on the width',
      '@media only screen and (max-width:480px){.c{width:100%!important}}',
      '@media only screen and (max-width: 480px) {\n.c { width: 100%!important }\n}',
    ],
    [
      'dark mode',
      '@media (prefers-color-scheme:dark){body{background:#000}}',
      '@media (prefers-color-scheme: dark) {\nbody { background: #000 }\n}',
    ],
    [
      'selectors for programs of mail',
      '#outlook a{padding:0}.ExternalClass *{line-height:100%}u+.body{margin:0}[data-ogsc] .x{color:red}',
      '#outlook a { padding: 0 }\n.ExternalClass * { line-height: 100% }\nu + .body { margin: 0 }\n[data-ogsc] .x { color: red }',
    ],
    [
      'sums and gradients',
      'a{width:calc(100% - 20px);background-image:linear-gradient(#fff,#eee)}',
      'a { width: calc(100% - 20px); background-image: linear-gradient(#fff,#eee) }',
    ],
    [
      'values without a blank between them',
      'a{background-position:50%top;line-height:1.5.5;font:bold 9pt"Open Sans"}',
      'a { background-position: 50% top; line-height: 1.5 .5; font: bold 9pt "Open Sans" }',
    ],
    [
      'several pictures of the message behind each other',
      'a{background:url(cid:a@b.example) no-repeat,url(cid:c@b.example)}',
      'a { background: url("cid:a@b.example") no-repeat,url("cid:c@b.example") }',
    ],
    [
      'what Word says of lines',
      '<!-- p.MsoNormal{margin:0cm;mso-line-height-rule:exactly;mso-style-name:x} -->',
      'p.MsoNormal { margin: 0cm; mso-line-height-rule: exactly }',
    ],
    [
      'hidden text in front of a newsletter',
      '.preheader{display:none;max-height:0;overflow:hidden}',
      '.preheader { display: none; max-height: 0; overflow: hidden }',
    ],
    ['the rules behind a broken one', 'a{b c d;color:red}} b{color:blue}', 'a { color: red }'],
  ])('%s', (_, css, kept) => {
    expect(sheet(css)).toBe(kept);
    expect(strangeSheet(kept)).toBeNull();
  });

  test('the condition of its element', () => {
    expect(writtenSheet('a{color:red}', 'screen')).toBe('@media screen {\na { color: red }\n}');
    expect(writtenSheet('a{color:red}', 'url(x)')).toBe('');
  });
});

describe('a style sheet loses', () => {
  test.each([
    ['a load from a share', 'a{background:url(//evil.example/x)}'],
    ['a load from the machine', 'a{background:url(file:///c:/x.png)}'],
    ['a load that programs complete', 'a{background:url(x.png)}'],
    ['a picture with scripts', 'a{background:url(data:image/svg+xml;base64,AA)}'],
    ['a load as anything but a background', 'a{cursor:url(cid:x);list-style:url(https://evil.example/x)}'],
    ['a load in a function', 'a{background:image-set(url(cid:x) 1x)}'],
    ['a load with a modifier', 'a{background:url("cid:x" x)}'],
    ['a load with an escape', 'a{background:u\\72l(x)}'],
    ['a load that is not closed', 'a{background:url(x'],
    ['a word of Word inside another word', 'a{background:amso-}'],
    ['an import', '@import "https://evil.example/x.css";'],
    ['an import in a condition', '@media screen{@import "x";}'],
    ['a font', '@font-face{font-family:Arial;src:local("Wingdings")}'],
    ['movement', '@keyframes x{from{color:red}}'],
    ['an expression', 'a{width:expression(alert(1))}'],
    ['a behaviour and a binding', 'a{behavior:url(x);-moz-binding:url(x)}'],
    ['what stands over other content', 'a{position:fixed;top:0;z-index:9;transform:translate(0,-99px);inset:0}'],
    ['what pulls content up', 'a{margin-top:-99px;margin:calc(0px - 99px) 0}'],
    ['text that is not in the page', 'a::before{content:"Safe"} a:first-letter{font-size:0}'],
    ['a name that old programs run', '.behavior:hover{color:red}'],
    ['fields of Word', 'a{mso-element:field-begin} mso-element{color:red}'],
    ['markup', 'a{color:"</style><script>"}'],
    ['another name space', '@namespace url(x);'],
    ['layers and containers', '@layer a{b{color:red}} @container (width>1px){b{color:red}}'],
    ['variables', 'a{--x:url(x);color:var(--x)}'],
    ['nested rules', 'a{b{color:red}}'],
    ['a rule in a bracket that is not closed', 'a[x{color:red} b{color:red}'],
  ])('%s', (_, css) => {
    expect(sheet(css)).toBe('');
  });
});

/** Pieces of style, so that odd neighbours meet. */
const piece = fc.constantFrom(
  ...'a .b #c * > + ~ , { } ( ) [ ] : ; ! important @media @import screen and (max-width:1px) color red background background: url( url(x) -1px +1 1 .5 1.5 10px 50% #fff "x" \' " \\ \\72 /* */ <!-- --> </style> calc( 1px - 2px rgb(1,2,3) position fixed margin-top margin mso- behavior expression( \n ::before :hover :nth-child(2n) [x="y"] content display none é 微 \0'.split(
    ' ',
  ),
  ' ',
  'url(cid:a@b)',
  'url("cid:a"',
  'url("https://a.example/?a=(b)&c")',
  'url(https://a.example/x)',
  'url(data:image/png;base64,AA+ADw/=)',
  'airlock-',
  'a{color:red}',
  '@media print{b{margin:1px}}',
);

test('what is written is of the grammar of the second look, on the lists of harmless style, and stable', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      for (const css of [pieces.join(''), `a{color:red;${pieces.join('')}}`, `@media print{${pieces.join('')}}`]) {
        const written = sheet(css);
        expect(strangeSheet(written === '' ? 'a { color: red }' : written)).toBeNull();
        expect(isListedSheet(written)).toBe(true);
        expect(sheet(written)).toBe(written);
      }
      const style = writtenStyle(pieces.join(''));
      expect([strangeStyle(style), isListedStyle(style), writtenStyle(style)]).toEqual([null, true, style]);
    }),
    { numRuns: roundsOf(2_000) },
  );
});

describe('a background picture', () => {
  const digest = (address: string) => `airlock-${createHash('sha256').update(address).digest('hex')}`;
  const other = digest('https://shop.example/a.png');

  test.each([
    [
      'of the message stays',
      '#fff url( "cid:logo@shop.example" ) no-repeat',
      '#fff url("cid:logo@shop.example") no-repeat',
    ],
    ['inside the page stays', 'url(data:image/png;base64,AA+A)', 'url("data:image/png;base64,AA%2BA")'],
    ['of another server is named by its digest', 'url(https://shop.example/a.png)', `none; background: ${other}`],
    [
      'among others too',
      "url('cid:a'),url('https://shop.example/a.png')",
      `url("cid:a"),none; background: url("cid:a"),${other}`,
    ],
  ])('%s', (_, value, written) => {
    expect(writtenStyle(`background:${value}`)).toBe(`background: ${written}`);
    expect(writtenStyle(writtenStyle(`background:${value}`))).toBe(`background: ${written}`);
    expect(strangeStyle(`background: ${written}`)).toBeNull();
    expect(sheet(`a{background:${value}}`)).toBe(`a { background: ${written} }`);
  });

  test.each([
    ['of the message', 'url(&quot;cid:logo@shop.example&quot;) no-repeat'],
    ['inside the page', 'url(&quot;data:image/png;base64,AA%2BA&quot;)'],
  ])('%s in the style of an element leaves the page as it is', async (_, value) => {
    const { text } = await disarmed(`<p onclick=LIVE>a</p><div style="background: ${value}">b</div>`, 'page.html');
    expect(text).toContain(`<div style="background: ${value}">b</div>`);
  });

  test('in an attribute of a cell, too', async () => {
    const cell = '<table><tr><td background="cid:a@b">x</td><td background="javascript:LIVE">y</td></tr></table>';
    const { text } = await disarmed(`${cell}<script>LIVE</script>`, 'page.html');
    expect(text).toContain('<td background="cid:a@b">x</td><td>y</td>');
  });
});

describe('a page that is written anew', () => {
  const page = (css: string) => `<head><style>${css}</style></head><body onload=x><p class=a>text</p></body>`;

  test('has its style sheet', async () => {
    expect((await disarmed(page('.a{color:red}'), 'page.html')).text).toContain('<style>.a { color: red }</style>');
  });

  test.each([
    ['<!DOCTYPE html>', '<!DOCTYPE html>\n<html>'],
    ['<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', '<!DOCTYPE html>\n<html>'],
    [
      '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">',
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n<html>',
    ],
    ['', '<html>'],
  ])('is laid out in the way that its document type asks for: %s', async (doctype, start) => {
    expect((await disarmed(`${doctype}<body onload=x>text`, 'page.html')).text.startsWith(start)).toBe(true);
  });

  test('has no style sheet of another language, and none beyond what is read', async () => {
    const other = '<body onload=x><style type="text/less">.a{color:red}</style><p>text</p>';
    expect((await disarmed(other, 'page.html')).text).not.toContain('<style>');
    const long = page(`.a{color:red}${' '.repeat(SHEETS_LENGTH)}`);
    expect((await disarmed(long, 'page.html')).text).not.toContain('<style>');
    const below = page(`.a{color:red}${' '.repeat(SHEETS_LENGTH - 13)}`);
    expect((await disarmed(below, 'page.html')).text).toContain('<style>');
  });

  test('has the links that its base completes, and says which pictures stood there', async () => {
    const { text: html } = await disarmed(
      '<head><base href="https://shop.example/news/"></head><a href="a.html?x=1">a</a><a href="/b">b</a><a href="//evil.example/c">c</a><img src="d.png" alt="D">',
      'page.html',
    );
    expect(html).toContain(
      '<a href="https://shop.example/news/a.html?x=1">a</a><a href="https://shop.example/b">b</a>',
    );
    const digest = createHash('sha256').update('https://shop.example/news/d.png').digest('hex');
    expect(html).toContain(`<a>c</a><img airlock-src="${digest}" alt="D">`);
  });

  test('has the words of its forms, and nothing that is meant for the server alone', async () => {
    const { text: html } = await disarmed(
      '<form action="https://shop.example/go"><p>Name</p><input placeholder="Your name" value=secret><input type=hidden value=secret><select><option>One<option selected>Two</select><textarea placeholder="Say it">secret</textarea><input type=submit value="Subscribe now"><button>Cancel</button></form>',
      'page.html',
    );
    expect(html).toContain('<p>Name</p>[Your name][Two][Say it][Subscribe now]Cancel');
    expect(html).not.toMatch(/secret|form|shop\.example/);
  });
});
