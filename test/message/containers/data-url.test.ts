import { describe, expect, test } from 'vitest';
import { filesOf, openAs } from './containers.ts';

const PAGE = { detectedType: 'text/html', declaredType: 'text/html', role: 'body' } as const;
const base64 = (text: string) => Buffer.from(text).toString('base64');

test('a file in a link of a page is found, with the name that it would be saved under', async () => {
  const page = `<p>Hi</p><a download="run.exe" href="data:application/octet-stream;base64,${base64('MZ run')}">open</a>
    <a href='data:text/html,%3Cscript%3Ex%3C/script%3E' download=page.html>page</a>`;
  const found = await openAs(page, PAGE);
  expect([found.kind, filesOf(found)]).toEqual([
    'data-url',
    [
      ['run.exe', 'MZ run'],
      ['page.html', '<script>x</script>'],
    ],
  ]);
});

test('pictures, fonts and styles of ordinary mail are no files', async () => {
  const page = `<img src="data:image/png;base64,${base64('png')}"><link href="data:text/css,p%7B%7D"><style>@font-face{src:url(data:font/woff2;base64,AAAA)}</style>`;
  expect((await openAs(page, PAGE)).kind).toBeNull();
});

test('a megabyte of opening tags is read quickly', async () => {
  for (const piece of ['href=data:', 'data=data:,', '<a href="data:;base64,'])
    expect((await openAs(piece.repeat(100_000), PAGE)).members.length).toBeLessThanOrEqual(100);
});

describe('a link to data', () => {
  const DATA = `data:application/x-thing;base64,${base64('MZ')}`;
  const found = async (page: string) => filesOf(await openAs(page, PAGE));

  test.each(['href', 'action', 'formaction', 'data', 'HREF'])('stands in %s, in any quotes', async (name) => {
    for (const value of [`"${DATA}"`, `'${DATA}'`, `${DATA} x=y`, ` " ${DATA}"`])
      expect(await found(`<a ${name} = ${value}>a</a>`)).toEqual([['', 'MZ']]);
  });

  test('does not stand in what is only shown', async () => {
    expect((await openAs(`<img src="${DATA}">`, PAGE)).kind).toBeNull();
    for (const type of ['image/png', 'image/jpg', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp', 'font/woff2'])
      expect((await openAs(`<a href="data:${type};base64,AAAA">a</a>`, PAGE)).kind, type).toBeNull();
    for (const type of ['application/font-woff', 'application/x-font-ttf', 'text/css', 'Image/PNG'])
      expect((await openAs(`<a href="data:${type},a">a</a>`, PAGE)).kind, type).toBeNull();
    for (const type of ['image/svg+xml', 'text/html', 'x/image/png'])
      expect((await openAs(`<a href="data:${type},a">a</a>`, PAGE)).kind, type).toBe('data-url');
  });

  test.each([
    ['image/svg+xml', 'image/svg+xml'],
    [' Text/HTML ;charset=utf-8', 'text/html'],
    ['', 'text/plain'],
    [';charset=x', 'text/plain'],
  ])('has its type: data:%s', async (media, declaredType) => {
    const { members, outcome, detail } = await openAs(`<a href="data:${media},a">a</a>`, PAGE);
    expect([outcome, detail]).toEqual(['opened', '']);
    expect(members.map(({ bytes: _, ...rest }) => rest)).toEqual([
      { path: '1', untrustedNames: [], declaredType, charset: null, role: 'attachment' },
    ]);
  });

  test('has its bytes as base64, as signs in hexadecimal digits, or as they are', async () => {
    const of = async (link: string) => (await found(`<a href="${link}">a</a>`)).map(([, text]) => text);
    expect(await of(`data:a/b;base64,${base64('MZ')}`)).toEqual(['MZ']);
    expect(await of(`data:a/b; BASE64 ,${base64('MZ')}`)).toEqual(['MZ']);
    expect(await of(`data:a/b;base64,${base64('M').replace('=', '%3d')}`)).toEqual(['M']);
    expect(await of('data:a/b;base64;x=y,TVo=')).toEqual(['TVo=']);
    expect(await of('data:a/b,%4d%5A%zz')).toEqual(['MZ%zz']);
  });

  test('has the name of its own element, in front of it or behind', async () => {
    const named = (page: string) => found(page).then((files) => files.map(([name]) => name));
    expect(await named(`<a download=a.exe href="${DATA}">`)).toEqual(['a.exe']);
    expect(await named(`<a href="${DATA}" DOWNLOAD = 'b.exe'>`)).toEqual(['b.exe']);
    expect(await named(`<a download=c.exe class="x" href="${DATA}">`)).toEqual(['c.exe']);
    expect(await named(`<a download="Ana's d.exe" href="${DATA}">`)).toEqual(["Ana's d.exe"]);
    expect(await named(`<a download='12" e.exe' href="${DATA}">`)).toEqual(['12" e.exe']);
    expect(await named(`<a download="" href="${DATA}">`)).toEqual(['']);
    const long = `data:a/b,${'x'.repeat(2_000)}`;
    expect(await named(`<a href="${long}" download="f.exe">`)).toEqual(['f.exe']);
    expect(await named(`<a download=x.exe><a href="${DATA}">`)).toEqual(['']);
    expect(await named(`<a href="${DATA}"><a download=x.exe>`)).toEqual(['']);
    expect(await named(`<a href="${DATA}" ${'x'.repeat(400)} download=x.exe>`)).toEqual(['']);
    expect(await named(`<a download=x.exe ${'x'.repeat(400)} href="${DATA}">`)).toEqual(['']);
  });

  test('is looked for in pages and drawings only', async () => {
    const kindOf = async (types: object) => (await openAs(`<a href="${DATA}">a</a>`, types)).kind;
    expect(await kindOf({ detectedType: 'text/html' })).toBe('data-url');
    expect(await kindOf({ declaredType: 'text/html' })).toBe('data-url');
    expect(await kindOf({ detectedType: 'image/svg+xml' })).toBe('data-url');
    expect(await kindOf({ detectedType: 'text/plain', declaredType: 'text/plain' })).toBeNull();
  });

  test('is one file more until there are too many', async () => {
    const page = `<a href="data:a/b,1"><a href="data:a/b,2"><a href="data:a/b,3">`;
    const kept = await openAs(page, { ...PAGE, limits: { containerMembers: 3 } });
    expect([kept.outcome, kept.members.length]).toEqual(['opened', 3]);
    const over = await openAs(page, { ...PAGE, limits: { containerMembers: 2 } });
    expect([over.outcome, filesOf(over)]).toEqual([
      'over_budget',
      [
        ['', '1'],
        ['', '2'],
      ],
    ]);
  });
});
