/** The page of a mail that ends again while its page is written: readers find a whole page, and it says the newest end. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryNewestMailFile, writeMailFile } from '../../lib/local/report/html-report.ts';
import { ledgerIfAny, storesOf } from '../../lib/local/session/run-context.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { airlock } from './console.ts';

let root: string;
let held: Ledger;
let delivered: Ledger;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'airlock-newest-page-'));
  const [mail, policy] = [join(root, 'mail.eml'), join(root, 'milder.json')];
  const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', 'STANDARD-ANTIVIRUS', 'TEST-FILE!$H+H*'].join('-');
  await writeFile(
    mail,
    `From: a@sender.example\r\nSubject: A file\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n${eicar}`,
  );
  await writeFile(policy, JSON.stringify({ message: { quarantineVerdicts: [] } }));
  const { stdout } = await airlock(['scan', '--json', '--out', root, mail]);
  const { runId } = JSON.parse(stdout.trim());
  held = (await ledgerOf(runId)) as Ledger;
  expect((await airlock(['redrive', '--out', root, '--policy', policy, runId])).code).toBe(0);
  delivered = (await ledgerOf(runId)) as Ledger;
  expect([held.terminal?.state, delivered.terminal?.state]).toEqual(['quarantined', 'delivered']);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const ledgerOf = (runId: string) => ledgerIfAny(storesOf(root), runId);
const stateIn = (page: string) => /<header class="verdict (\w+)">/.exec(page)?.[1];
const place = (name: string) => ({ folder: join(root, name), out: root, language: 'en' as const });
const failed = (text: string) => {
  throw new Error(text);
};

test('a mail that is released before its first page is there has a page that says so', async () => {
  const pages = place('first');
  await tryNewestMailFile(pages, held.runId, held, ledgerOf, failed);
  expect(stateIn(await readFile(join(pages.folder, `${held.runId}.html`), 'utf8'))).toBe('delivered');
});

test('an end that comes while the page is written is on it, whoever had written it before', async () => {
  const pages = place('during');
  let asked = 0;
  const changing = async () => {
    asked += 1;
    return asked === 1 ? held : delivered;
  };
  await tryNewestMailFile(pages, held.runId, null, changing, failed);
  expect(stateIn(await readFile(join(pages.folder, `${held.runId}.html`), 'utf8'))).toBe('delivered');
  expect(asked).toBe(3);
});

test('a mail that was begun again and has not ended keeps its page', async () => {
  const pages = place('open');
  await tryNewestMailFile(pages, held.runId, held, async () => ({ ...held, terminal: null }), failed);
  expect(stateIn(await readFile(join(pages.folder, `${held.runId}.html`), 'utf8'))).toBe('quarantined');
});

test('readers find a whole page at any time, also when several processes write it', async () => {
  const { folder } = place('together');
  const path = await writeMailFile(folder, root, held, 'en');
  let isWriting = true;
  const reading = (async () => {
    const seen = new Set<string | undefined>();
    while (isWriting) {
      const page = await readFile(path, 'utf8');
      seen.add(page.endsWith('</html>\n') || page.endsWith('</html>') ? stateIn(page) : `cut at ${page.length}`);
    }
    return seen;
  })();
  const writing = [held, delivered, held, delivered].map((ledger) => writeMailFile(folder, root, ledger, 'en'));
  await Promise.all(writing).finally(() => {
    isWriting = false;
  });
  for (const state of await reading) expect(['quarantined', 'delivered']).toContain(state);
  expect(await readdir(folder)).toEqual([`${held.runId}.html`]);
});
