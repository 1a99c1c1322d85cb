import { simpleParser } from 'mailparser';
import { expect, test } from 'vitest';
import { linksOrAddressesOthersMark } from '../hostile/attack/linkifiers.ts';
import { createRig, emailWith } from './rig.ts';

/** What a service may say. */
const SAID = [
  'it loads https://evil.example/x and \\\\evil.example\\share',
  'the member www.evil.example.zip of mailto:a@evil.example',
  'search-ms:query=evil.example',
];

test.each(SAID)('nothing that a service says becomes a link in the notice: %s', async (reason) => {
  const answer = () => ({ verdict: 'suspicious' as const, reasons: [reason] });
  const { clean } = await createRig({ script: { answer } }).scan(
    emailWith({ files: [{ name: 'evil.example.exe', bytes: 'MZ' }] }),
  );
  const { text = '', attachments } = await simpleParser(clean ?? '');
  const notices = [text, ...attachments.map(({ content }) => content.toString())].join('\n');
  expect(notices).toMatch(/was removed by Mail Airlock/);
  expect(notices).toContain('evil[.]example');
  expect(linksOrAddressesOthersMark(notices)).toEqual([]);
});
