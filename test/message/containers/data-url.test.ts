import { expect, test } from 'vitest';
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
