/** docs/format-places.md is what the tables of the program say. To write it anew, run this file with `-u`, and review the difference. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './docstrings.ts';
import { placesPage } from './format-places.ts';

test('docs/format-places.md names the files of every format, and they are there', async () => {
  const page = await placesPage();
  const rows = page.split('\n').filter((line) => /^\| `/.test(line));
  expect(rows.length).toBeGreaterThan(30);
  const missing = rows.flatMap((row) => {
    const [, , , disarm = '', inspect = '', statics = '', links = ''] = row.split('|');
    const files = (cell: string, folder: string) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => `lib/${folder}/${file}`);
    const engines = [
      ...files(disarm, 'engines/disarm'),
      ...files(inspect, 'engines/inspect'),
      ...files(statics, 'engines/static'),
    ];
    return [...engines, ...files(links, 'message/urls/sources')];
  });
  expect(missing.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  await expect(page).toMatchFileSnapshot('../../docs/format-places.md');
});
