/** What a scan prints about what the recipient is told: only what is written in the mail. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPhotoshop } from '../fixtures/build-photoshop.ts';
import { sampleOf } from '../formats/format-samples.ts';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

const TABLE = { name: 'table.csv', bytes: 'a,b\r\n=1+1,2\r\n' };
const PROGRAM = { name: 'setup.exe', bytes: `MZ\x90\0 the program ${'x'.repeat(200)}` };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-told-'));
  await writeFile(join(folder, 'off.json'), '{ "told": { "banner": "off" } }');
});
afterAll(() => rm(folder, { recursive: true }));

async function scanned(name: string, mail: Uint8Array | string, policy: readonly string[]) {
  const path = join(folder, `${name}.eml`);
  await writeFile(path, mail);
  const { stdout } = await airlock(['scan', '--out', join(folder, name), ...policy, path]);
  const written = /clean message\s+(\S+)/.exec(stdout)?.[1] ?? '';
  return {
    stdout: stdout.replace(/\s+/g, ' '),
    told: /(?:the recipient is told|done, and [^:]+): [^\n]+/.exec(stdout)?.[0],
    message: await readFile(written, 'utf8'),
  };
}

const OFF = () => ['--policy', join(folder, 'off.json')];
const withTable = emailWith({ text: 'see the table', files: [TABLE] });

test('with a banner, the recipient is told', async () => {
  const { told, message } = await scanned('banner', withTable, []);
  expect(told).toBe('the recipient is told: 1 file was made safe.');
  expect(message).toContain('1 file was made safe.');
});

test('a document of Apple and a Photoshop file: that only the preview in them is here', async () => {
  const pages = await sampleOf('application/vnd.apple.iwork.pdf');
  const files = [
    { name: 'report.pages', bytes: pages?.bytes ?? new Uint8Array() },
    { name: 'poster.psd', bytes: buildPhotoshop() },
  ];
  const { told, message } = await scanned('preview', emailWith({ text: 'see the files', files }), []);
  expect(told).toBe('the recipient is told: 2 files were replaced by the previews in them.');
  expect(message).toContain('2 files were replaced by the previews in them.');
});

test('without a banner, nobody is', async () => {
  const { told, message } = await scanned('off', withTable, OFF());
  expect(told).toBe('done, and the mail does not say so: 1 file was made safe.');
  expect(message).not.toContain('[ Mail Airlock ]');
});

test('without a banner, a page in the place of a file still says so', async () => {
  const { told } = await scanned('page', emailWith({ text: 'see the file', files: [PROGRAM] }), OFF());
  expect(told).toBe('done, and told only in the place of what was withheld: 1 file was withheld.');
});

test('a mail that is a file alone has no text for a banner', async () => {
  const mail = `From: a@sender.example\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/csv; name="t.csv"\r\nContent-Disposition: attachment; filename="t.csv"\r\n\r\n${TABLE.bytes}`;
  const { told } = await scanned('alone', mail, []);
  expect(told).toBe('done, and the mail does not say so: 1 file was made safe.');
});

test('links beyond those that are analysed are counted', async () => {
  const links = Array.from({ length: 204 }, (_, at) => `<p><a href="https://shop${at}.example.com/">item</a></p>`);
  const { told, message } = await scanned('links', emailWith({ text: 'see the items', html: links.join('') }), []);
  expect(told).toBe('the recipient is told: 4 links were switched off.');
  expect(message).toContain('4 links were switched off');
});

test('a text that was only written anew is not said to have lost a link', async () => {
  const mail =
    'From: a@sender.example\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=unicode-1-1-utf-7\r\n\r\nGr+APwA3w-e\r\n';
  expect((await scanned('charset', mail, [])).stdout).toContain('written anew in UTF-8, because programs read');
  const rotated = emailWith({ text: 'see the log', files: [{ name: 'app.log.1', bytes: 'one line\n' }] });
  const { stdout } = await scanned('name', rotated, []);
  expect(stdout).toContain('nothing was found; delivered as a text file');
  expect(stdout).not.toContain('switched off');
});
