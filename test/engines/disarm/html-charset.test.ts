import { describe, expect, test } from 'vitest';
import { disarm } from '../../../lib/engines/disarm/html/html.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { isKnownCharset } from '../../../lib/formats/charsets/page-readings.ts';

const HTML = { type: 'text/html', extension: 'html', description: 'HTML page' };

async function run(page: string | Uint8Array) {
  const bytes = typeof page === 'string' ? new TextEncoder().encode(page) : page;
  const report = await disarm({ bytes, untrustedName: 'page.html', password: null }, HTML, DEFAULT_ENGINE_LIMITS);
  const kinds = report.details.map(({ kind }) => kind);
  return { outcome: report.outcome, html: new TextDecoder().decode(report.bytes), kinds };
}

const utf7 = (text: string) => `+${Buffer.from(text, 'utf16le').swap16().toString('base64').replace(/=+$/, '')}-`;
const utf32 = (text: string) => Buffer.from([...text].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0]));

describe('removes what only a reader in another charset sees:', () => {
  const SCRIPT = '<script>alert(1)</script>';
  test.each([
    ['a script in UTF-7 run by run', `<p>x</p>${SCRIPT.replace(/[<>]/g, utf7)}`],
    ['a script in one run of UTF-7', `<p>x</p>${utf7(SCRIPT)}`],
    ['a script in a run of UTF-7 that starts with other letters', `<p>x</p>${utf7(`漢字${SCRIPT}`)}`],
    ['a letter of a link in UTF-7', `<a href="java${utf7('s')}cript:alert(1)">x</a>`],
    ['a script with NULs in its name', `<p>x</p><scr\0ipt>alert(1)</scr\0ipt>`],
    ['a script in UTF-32', utf32(`<p>x</p>${SCRIPT}`)],
    [
      'a script in a page of ideographs in UTF-16',
      Buffer.from(`<p>${'漢字'.repeat(400)}</p>${SCRIPT}`, 'utf16le').swap16(),
    ],
    [
      'a script in the second charset of two',
      `<meta charset=utf-8><meta charset=iso-2022-jp><p title="\x1b$B"/><b/title='\x1b(B"><img src=x onerror=alert(1)>'>`,
    ],
  ])('%s', async (_, page) => {
    const { outcome, html } = await run(page);
    expect(outcome).toBe('disarmed');
    expect(html).not.toMatch(/<script|onerror|javascript:|\0|\+[A-Za-z0-9+/]{2}/);
    expect(await run(html)).toMatchObject({ outcome: 'already_safe', html });
  });
});

test('keeps the text of a page in UTF-16 without a mark', async () => {
  const { html } = await run(Buffer.from(`<p>${'漢字'.repeat(400)}</p><script>x</script>`, 'utf16le').swap16());
  expect(html).toContain('漢字');
});

describe('writes a page anew when it declares a charset that programs read differently:', () => {
  test.each([
    ['UTF-7', '<meta charset="utf-7">'],
    ['HZ', '<meta http-equiv="Content-Type" content="text/html; charset=hz-gb-2312">'],
    ['UTF-32', '<META CONTENT="text/html;charset=utf-32" HTTP-EQUIV=content-type>'],
    ['a private one', '<meta charset=x-user-defined>'],
    ['one of mainframes', '<meta charset=ibm037>'],
    ['UTF-7, far down', `${'<p>x</p>'.repeat(20_000)}<meta charset=utf-7>`],
    ['UTF-7 in XML', '<?xml version="1.0" encoding="utf-7"?>'],
  ])('%s', async (_, declaration) => {
    const { outcome, html, kinds } = await run(`${declaration}<p>+ADw-b+AD4- hello</p>`);
    expect(outcome).toBe('disarmed');
    expect(kinds).toContain('charset that programs read differently');
    expect(html).toContain('hello');
    expect(html).not.toMatch(/utf-7|\+A/i);
    expect(await run(html)).toMatchObject({ outcome: 'already_safe', html });
  });

  test.each([
    ['in a charset of its own country', '<meta charset="shift_jis"><p>x</p>'],
    ['as Outlook saves it', '<meta http-equiv=Content-Type content="text/html; charset=unicode"><p>x</p>'],
    ['with telephone numbers and sums', '<p>call +49 151 2345678 or +4915123456789, 1+1=2, a+bc+def</p>'],
    [
      'with pictures in base64',
      `<img src="data:image/png;base64,${Buffer.alloc(6_000, '\xfb\xe0\x00\x3c\x00\x22', 'latin1').toString('base64')}">`,
    ],
  ])('and leaves one alone %s', async (_, page) => {
    expect(await run(page)).toMatchObject({ outcome: 'already_safe', kinds: [] });
  });

  test('a description that names such a charset does not declare it', async () => {
    const { kinds } = await run('<meta name="description" content="about charsets: utf-7 and others">');
    expect(kinds).toEqual(['page metadata']);
  });
});

test('knows the charsets that every program reads in the same way, and no others', () => {
  for (const label of ['utf-8', 'GBK', 'iso-8859-1', 'utf-16']) expect(isKnownCharset(label)).toBe(true);
  for (const label of ['utf-7', 'x-user-defined', 'replacement', 'iso-2022-kr', '', 'x'.repeat(100_000)])
    expect(isKnownCharset(label)).toBe(false);
});
