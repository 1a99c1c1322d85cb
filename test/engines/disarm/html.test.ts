import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { disarm } from '../../../lib/engines/disarm/html/html.ts';
import { PASSIVE } from '../../../lib/engines/disarm/html/rules.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import type { DetectedType } from '../../../lib/formats/detection/detected-type.ts';
import { fileCase, fileCases } from '../../fixtures/cases.ts';

const HTML: DetectedType = { type: 'text/html', extension: 'html', description: 'HTML page' };

const PASSIVE_KINDS: ReadonlySet<string> = new Set(Object.values(PASSIVE));

async function run(page: string | Uint8Array, untrustedName = 'page.html') {
  const bytes = typeof page === 'string' ? new TextEncoder().encode(page) : page;
  const report = await disarm({ bytes, untrustedName, password: null }, HTML, DEFAULT_ENGINE_LIMITS);
  const html = new TextDecoder().decode(report.bytes);
  return { ...report, html, isSame: report.bytes === bytes, kinds: report.details.map((removal) => removal.kind) };
}

/** The page after a disarm. A second disarm must change nothing. */
async function disarmed(page: string): Promise<string> {
  const once = await run(page);
  expect(once.outcome).toBe('disarmed');
  const twice = await run(once.html);
  expect(twice.outcome).toBe('already_safe');
  expect(twice.html).toBe(once.html);
  return once.html;
}

describe('a page without active content', () => {
  test.each([
    ['a page of allowed markup', '<p class="a" style="color:red; font-family:Arial,sans-serif">x <a href=#y>y</a></p>'],
    ['a fragment with broken markup', '<b>un<i>closed</b> & <td>cell <a href=#x>'],
    ['a picture inside the page', '<img src="data:image/png;base64,iVBORw0KGgo=">'],
    ['nothing at all', ''],
  ])('keeps %s byte for byte', async (_, page) => {
    expect(await run(page)).toMatchObject({ outcome: 'already_safe', isSame: true, details: [] });
  });

  test('keeps bytes that are not UTF-8 as they are', async () => {
    const page = Uint8Array.from(Buffer.from('<p>gr\xfc\xdfe</p>', 'latin1'));
    expect(await run(page)).toMatchObject({ outcome: 'already_safe', isSame: true });
  });

  test.each([
    [
      'a newsletter',
      '<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8">' +
        '<style>@media (max-width:600px){.a{width:100%!important}} .b{color:#333;background:#fff}</style></head><body ' +
        'bgcolor=white><!-- preheader --><div style="display:none;font-size:1px">hidden</div><table width=600><tr><td ' +
        'style="padding:10px; font-family:Arial,sans-serif"><a href="https://shop.example/?a=1&b=2">Shop</a><img ' +
        'src="https://shop.example/logo.png" alt=Logo><a href=mailto:a@shop.example>write</a></td></tr></table>',
    ],
    [
      'a newsletter with web fonts and background pictures',
      '<html><head><link rel="stylesheet" href="https://fonts.example/css?family=Lato"><style>@import url(https://fonts.example/x.css);' +
        ' @font-face{font-family:L;src:url("https://fonts.example/l.woff2") format("woff2")} .h{background:url(\'https://shop.example/h.png\')}' +
        '</style></head><body style="background-image:url(cid:bg)"><p>Hello</p></body></html>',
    ],
    [
      'a mail of Outlook with its conditional comments',
      '<html xmlns:v="urn:schemas-microsoft-com:vml"><head><!--[if !mso]><style>v\\:* {behavior:url(#default#VML);}</style>' +
        '<![endif]--><style><!-- @font-face {font-family:Calibri; panose-1:2 15 5 2 2 2 4 3 2 4;} --></style>' +
        '<!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit"/></xml><![endif]--></head><body><p><o:p>&nbsp;</o:p></p>' +
        '<img src="cid:image001.png@01D"><a href="tel:+123">call</a></body></html>',
    ],
  ])('loses of %s only what is loaded or not shown', async (_, page) => {
    const { outcome, html, kinds } = await run(page);
    expect(outcome).toBe('disarmed');
    expect(kinds.filter((kind) => !PASSIVE_KINDS.has(kind))).toEqual([]);
    expect(html).not.toMatch(/<link|<!--|url\((?!&quot;cid:bg&quot;)| src="http|data-|https:\/\/fonts/);
    expect(await run(html)).toMatchObject({ outcome: 'already_safe', html });
  });
});

test.each([
  ['a script', '<p>x</p><script>alert(1)</script>', 'script'],
  ['an event handler', '<img src="cid:1" onerror=alert(1)>', 'event handler'],
  ['a javascript: link', '<a href="java&#9;script:alert(1)">x</a>', 'active link'],
  ['a javascript: link with a control character', '<a href="&#1;javascript:alert(1)">x</a>', 'active link'],
  ['a vbscript: link', '<a href=" VBScript:x">x</a>', 'active link'],
  ['a data: page', '<a href="data:text/html,<b>x">x</a>', 'active link'],
  ['a data: picture with scripts', '<img src="data:image/svg+xml,<svg onload=x>">', 'active link'],
  ['a link to a share', '<a href="\\\\evil.example\\x">x</a>', 'active link'],
  ['a frame', '<iframe src="https://evil.example/"></iframe>', 'frame'],
  ['an object', '<object data=x></object>', 'embedded object'],
  ['a form', '<form action=https://evil.example/><input name=p></form>', 'form'],
  ['a base', '<base href="https://evil.example/">', 'base address'],
  ['a refresh', '<meta http-equiv=" Refresh" content="0;url=https://evil.example/">', 'automatic redirect'],
  [
    'a style sheet',
    '<link rel="alternate stylesheet" href=https://evil.example/c>',
    'style sheet or other file loaded',
  ],
  ['a style that loads', '<style>a{background:u\\72l(file://evil/x)}</style>', 'active style'],
  ['a style attribute that loads', '<p style="background:url(//evil/share/x)">x</p>', 'active style'],
  ['a style that imports a script', "<style>@import 'javascript:alert(1)';</style>", 'active style'],
  [
    'a web load with something behind it',
    '<p style="background:url(https://a.example/x) url(x:y)">x</p>',
    'active style',
  ],
  ['an expression split by a comment', '<p style="width:exp/**/ression(alert(1))">x</p>', 'active style'],
  ['a behaviour', '<p style="behavior:url(x.htc)">x</p>', 'active style'],
  ['svg', '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>', 'foreign markup'],
  ['a template', '<template><b>x</b></template>', 'template'],
  ['noscript', '<noscript><p>x</p></noscript>', 'script'],
  [
    'a conditional comment with a script',
    '<!--[if IE]><script>x</script><![endif]-->',
    'conditional comment with active content',
  ],
  ['a script in UTF-7', '<p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</p>', 'script'],
])('takes out %s', async (_, page, kind) => {
  const report = await run(`before ${page} after`);
  expect(report.outcome).toBe('disarmed');
  expect(report.kinds).toContain(kind);
  expect(report.html).not.toMatch(
    /<\/?script|script:|onerror|evil\.example|url\(|data:|<(?:svg|form|iframe|object|base|template)/i,
  );
  expect(report.html).toMatch(/before/);
  expect(await disarmed(`before ${page} after`)).toBe(report.html);
});

test.each([
  ['a remote picture', '<img src="https://live.example/1.gif" alt=x>', PASSIVE.remotePicture],
  ['a picture of the message by its name', '<img src="live.gif" alt=x>', PASSIVE.remotePicture],
  ['a set of pictures', '<img src="cid:1" srcset="https://live.example/2.gif 2x">', PASSIVE.pictureSet],
  ['a background', '<table background="https://live.example/b.gif"><tr><td>x</table>', PASSIVE.background],
  ['what moves in a style sheet', '<style>.live{position:fixed}</style>', PASSIVE.style],
  ['a style that moves', '<p style="color:red;position:fixed;content:live">x</p>', PASSIVE.style],
  ['a style that loads from the web', '<p style="background:url(https://live.example/b.gif)">x</p>', PASSIVE.style],
  ['a comment in a style', '<p style="color:red/*live*/">x</p>', PASSIVE.style],
  ['a style sheet from the web', '<link rel=stylesheet href="https://live.example/c.css">', PASSIVE.linkedFile],
  ['an icon', '<link rel=icon href="https://live.example/i.png">', PASSIVE.linkedFile],
  ['a comment', '<p>x<!-- live --></p>', PASSIVE.comment],
  ['a comment for Outlook', '<!--[if mso]><p>live</p><![endif]-->', PASSIVE.comment],
  ['a comment by another name', '<![if live]>x<![endif]>', PASSIVE.comment],
  ['a data attribute', '<p DATA-Live="live">x</p>', PASSIVE.data],
  ['metadata', '<meta name=generator content="live">', PASSIVE.metadata],
  ['an author', '<meta content="Live Person" name=Author>', PASSIVE.author],
  ['a link to a file server', '<a href="ftp://live.example/x">x</a>', PASSIVE.link],
  ['a link to a part of the message', '<a href="cid:live">x</a>', PASSIVE.link],
  ['an element of another program', '<o:p live=1>x</o:p>', PASSIVE.element],
  ['an attribute of another program', '<p x:live=1>x</p>', PASSIVE.attribute],
])('takes out %s, which is told apart from what is active', async (_, page, kind) => {
  const report = await run(`before ${page} after`);
  expect({ outcome: report.outcome, kinds: [...new Set(report.kinds)] }).toEqual({
    outcome: 'disarmed',
    kinds: [kind],
  });
  expect(report.html).toMatch(/before[\s\S]*after/);
  expect(report.html).not.toMatch(/live/i);
  expect(await disarmed(`before ${page} after`)).toBe(report.html);
});

test.each(['//live.example/x', '\\\\live.example\\x', '/\\live.example/x', ' /&#9;/live.example/x', '\\/live.example'])(
  'a link and a picture that lead to a share are active, and go: %s',
  async (target) => {
    const { kinds, html } = await run(`<p><a href="${target}">text</a><img src="${target}" alt=picture></p>`);
    expect(kinds).toContain('active link');
    expect(html).toContain('<p><a>text</a><img alt="picture"></p>');
  },
);

test('only the author of the head stays when the caller keeps metadata', async () => {
  const page = '<head><meta name=author content="Ada Person"><meta name=generator content=x></head><p>x</p>';
  const input = (bytes: Uint8Array) => ({ bytes, untrustedName: 'a.html', password: null, keepMetadata: true });
  const first = await disarm(input(new TextEncoder().encode(page)), HTML, DEFAULT_ENGINE_LIMITS);
  expect(first.details.map(({ kind }) => kind)).toEqual([PASSIVE.metadata]);
  expect(Buffer.from(first.bytes).toString()).toContain('<meta name="author" content="Ada Person">');
  expect((await disarm(input(first.bytes), HTML, DEFAULT_ENGINE_LIMITS)).outcome).toBe('already_safe');
});

test('a flood of passive attributes does not displace active content from the report', async () => {
  const flood = Array.from({ length: 3_000 }, (_, at) => `<p data-${at}=1>x</p>`).join('');
  const { kinds } = await run(`${flood}<p onclick=x>x</p>`);
  expect(kinds[0]).toBe('event handler');
  expect(kinds.at(-1)).toBe('more of the kinds above');
});

test('removes a frameset', async () => {
  expect((await run('<frameset><frame src=x></frameset>')).kinds).toContain('frame');
  expect(await disarmed('<frameset><frame src=x></frameset>')).not.toContain('frame');
});

test('leaves nothing that a program could take for markup in UTF-7', async () => {
  expect(await disarmed('+ADw-script+AD4-')).not.toContain('+A');
});

test('finds a script in UTF-16 without a byte order mark', async () => {
  const report = await run(Uint8Array.from(Buffer.from('<p>a</p><script>alert(1)</script>', 'utf16le')));
  expect(report.outcome).toBe('disarmed');
  expect(report.html).toContain('<p>a</p>');
  expect(report.html).not.toContain('script');
});

test('keeps text, structure, safe links, pictures and inline style of a page it rebuilds', async () => {
  const html = await disarmed(
    '<!DOCTYPE html><title>T &amp; t</title><h1 align=center onclick=x>Über</h1><ul><li>one</ul><table border=1><tr><td colspan=2 ' +
      'style="color:red;position:fixed;background:url(x);FONT-SIZE: 12px !important">cell</table><a href="https://good.example/?a&amp;b" ' +
      'id=x>link</a> <a href="javascript:x">dead</a> <img src="cid:p@1" width=10 alt=pic> <img src="https://t.example/1.gif" alt=logo>' +
      '<unknown>kept text</unknown><form><label>label</label><button>press</button><input value=secret></form>',
  );
  for (const kept of [
    '<!DOCTYPE html>',
    '<title>T &amp; t</title>',
    '<h1 align="center">Über</h1>',
    '<li>one</li>',
    '<td colspan="2" style="color: red; font-size: 12px !important">cell</td>',
    '<a href="https://good.example/?a&amp;b" id="x">link</a>',
    '<a>dead</a>',
    '<img src="cid:p@1" width="10" alt="pic">',
    // The digest of the address.
    `<img airlock-src="${createHash('sha256').update('https://t.example/1.gif').digest('hex')}" alt="logo">`,
    'kept text',
    'label',
    'press',
  ])
    expect(html).toContain(kept);
  expect(html).not.toContain('secret');
});

describe('limits', () => {
  test('refuses elements nested too deep', async () => {
    await expect(run('<div>'.repeat(100_000))).rejects.toMatchObject({ code: 'oversize' });
    await expect(run('<b>'.repeat(100_000))).rejects.toMatchObject({ code: 'oversize' });
  });

  test('refuses a page whose name makes programs read it as something else', async () => {
    await expect(run('<p>x</p>', 'page.hta')).rejects.toMatchObject({ code: 'unsupported' });
    await expect(run('<p>x</p>', 'page.xhtml ')).rejects.toMatchObject({ code: 'unsupported' });
  });

  test('refuses input over the limit', async () => {
    const limits = { ...DEFAULT_ENGINE_LIMITS, inputBytes: 10 };
    const input = { bytes: new Uint8Array(11), untrustedName: '', password: null };
    await expect(disarm(input, HTML, limits)).rejects.toMatchObject({ code: 'oversize' });
  });

  test.each([
    ['table cells', '<table>', '<td>a'],
    ['paragraphs with handlers', '', '<p onclick=x>'],
    ['style comments', '<style>', '/*a'],
    ['angle brackets', '<script></script>', '<'],
    ['conditional comments', '', '<!--[if mso]><p>x<![endif]-->'],
    ['formatting elements', '', '<p><font a><font b><font c>'],
  ])('comes to its end on 5 MB of %s', async (_, start, piece) => {
    const page = start + piece.repeat(Math.ceil(5_000_000 / piece.length));
    // Quadratic work on 5 MB would take hours, and the time limit of the test would end it.
    const outcome = await run(page).then(
      ({ outcome }) => outcome,
      ({ code }) => code,
    );
    expect(['disarmed', 'already_safe', 'oversize']).toContain(outcome);
  });

  test('reports at most a few hundred removals one by one', async () => {
    const report = await run('<b onclick=x></b>'.repeat(2_000));
    expect(report.details.length).toBeLessThan(1_000);
    expect(report.details.at(-1)?.where).toMatch(/^\d+ places$/);
  });
});

test('removes every threat from the smuggling page and keeps its text', async () => {
  const keep = fileCases().find(({ file }) => file === 'html-smuggling.html')?.keep ?? [];
  const html = await disarmed(fileCase('html-smuggling.html').toString());
  expect(keep.length).toBeGreaterThan(0);
  expect(html).not.toContain('CDRTHREAT');
  for (const marker of keep) expect(html).toContain(marker);
});
