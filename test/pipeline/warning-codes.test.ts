/** Warnings of a run, each with a mail that gives cause for it. The others are in the tests of what gives them. */
import { expect, test } from 'vitest';
import { parse } from '../../lib/pipeline/parse.ts';
import { packed } from '../formats/archives/archives.ts';
import { createRig, emailWith, type RigOptions } from './rig.ts';

const mail = (...lines: string[]) => ['From: a@example.com', ...lines].join('\r\n');

async function codesOf(email: string, options: RigOptions = {}): Promise<string[]> {
  const rig = createRig(options);
  const { runId } = await parse(rig.ctx, await rig.intake(email));
  return (await rig.ledger(runId)).warnings.map(({ code }) => code);
}

test.each<[string, string, string, RigOptions?]>([
  ['odd_start', 'blank lines in front of the header', `\r\n${mail('', 'x')}`],
  [
    'boundary_inferred',
    'parts behind another boundary than the one that is named',
    mail('Content-Type: multipart/mixed; boundary=b', '', '--c', 'Content-Type: text/plain', '', 'x', '--c--', ''),
  ],
  [
    'type_name_mismatch',
    'a picture that is called a PDF',
    emailWith({ files: [{ name: 'a.pdf', type: 'image/png', bytes: 'x' }] }),
  ],
  ['text_too_large', 'a text over the limit', emailWith({ text: 'x'.repeat(101) }), { limits: { textBytes: 100 } }],
  ['unresolved_links', 'a link that leads nowhere by itself', emailWith({ html: '<a href="page.html">x</a>' })],
])('%s: %s', async (code, _, email, options) => {
  expect(await codesOf(email, options)).toContain(code);
});

test('container_damaged: an archive that ends too early', async () => {
  const whole = await packed('zip', { 'a.txt': 'hello '.repeat(100) });
  const files = [{ name: 'a.zip', bytes: whole.subarray(0, whole.length - 30) }];
  expect(await codesOf(emailWith({ files }))).toContain('container_damaged');
});

test('container_unsupported: an archive where nothing can open one', async () => {
  const files = [{ name: 'a.7z', bytes: await packed('7z', { 'a.txt': 'hello' }) }];
  const opening = {
    outcome: 'unsupported',
    detail: 'nothing here opens it',
    members: [],
    untrustedPassword: null,
  } as const;
  const overrides: RigOptions['overrides'] = () => ({ unpacker: { unpack: async () => opening } as never });
  expect(await codesOf(emailWith({ files }), { overrides })).toContain('container_unsupported');
});
