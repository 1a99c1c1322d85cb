import { simpleParser } from 'mailparser';
import { expect, test } from 'vitest';
import { parsePolicy } from '../../lib/pipeline/policy.ts';
import { linksOrAddressesOthersMark } from '../hostile/attack/linkifiers.ts';
import { createRig, emailWith, PDF } from './rig.ts';

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

const REMOVES = parsePolicy(
  '{"types":{"pdf":{"verdicts":{"benign":"remove"}},"text":{"verdicts":{"benign":"remove"}},"script":{"verdicts":{"benign":"remove"}}}}',
);
const END =
  'The mail gateway keeps the original message. If you need what was removed, ask the people who run the gateway.';

test('the notice says what was removed, why, and how it can be had', async () => {
  const { clean, ledger } = await createRig({ policy: REMOVES }).scan(
    emailWith({ text: 'hello', files: [{ name: 'a.pdf', bytes: PDF }] }),
  );
  const { text = '' } = await simpleParser(clean ?? '');
  const [, body, pdf] = ledger.parts;
  const notice = (what: string, why: string, type: string, size: number, hash: string | null | undefined) =>
    [
      `${what} was removed by Mail Airlock before delivery.`,
      '',
      `Why:       ${why}`,
      'Verdict:   benign',
      `Type:      ${type}, ${size} bytes`,
      `SHA-256:   ${hash}`,
      '',
      END,
    ].join('\n');
  const why = (group: string) => `nothing was found; policy removes ${group} that is benign`;
  expect(text).toContain(notice('The text of this message', why('text'), 'text/plain', 5, body?.sha256));
  expect(text).toContain(notice('The attachment "a.pdf"', why('pdf'), 'application/pdf', PDF.length, pdf?.sha256));
});

test('a file without a name is said to have none, and a long name is cut', async () => {
  const mail = emailWith({ files: [{ name: 'NAME', bytes: PDF }] });
  const unnamed = mail.replace('; name="NAME"', '').replace('; filename="NAME"', '');
  const noticeOf = async (sent: string) => {
    const { clean } = await createRig({ policy: REMOVES }).scan(sent);
    return (await simpleParser(clean ?? '')).text;
  };
  expect(await noticeOf(unnamed)).toMatch(/The attachment "without a name" was removed/);
  const long = await noticeOf(mail.replaceAll('NAME', `${'x'.repeat(500)}.pdf`));
  expect(long).toMatch(/The attachment "x{199}…" was removed/);
});
