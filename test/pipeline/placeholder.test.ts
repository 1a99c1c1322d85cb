import { simpleParser } from 'mailparser';
import { expect, test } from 'vitest';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { referenceOf } from '../../lib/words/reference.ts';
import { linksOrAddressesOthersMark } from '../hostile/attack/linkifiers.ts';
import { createRig, emailWith, PDF } from './rig.ts';

/** What a service may say. */
const SAID = [
  'it loads https://evil.example/x and \\\\evil.example\\share',
  'the member www.evil.example.zip of mailto:a@evil.example',
  'search-ms:query=evil.example',
];

test.each(SAID)(
  'nothing that a service says and no name becomes a link in what is left in its place: %s',
  async (reason) => {
    const answer = () => ({ verdict: 'suspicious' as const, reasons: [reason] });
    const { clean } = await createRig({ script: { answer } }).scan(
      emailWith({ files: [{ name: 'evil.example.exe', bytes: 'MZ' }] }),
    );
    const { text = '', attachments } = await simpleParser(clean ?? '');
    const notices = [text, ...attachments.map(({ content }) => content.toString())].join('\n');
    expect(notices).toContain('This file was withheld');
    expect(notices).toContain('evil[.]example');
    expect(linksOrAddressesOthersMark(notices)).toEqual([]);
  },
);

/** The texts that stand in the place of what was removed. */
async function textsOf(mail: string, told: object) {
  const types = Object.fromEntries(
    ['pdf', 'text', 'script'].map((group) => [group, { verdicts: { benign: 'remove' } }]),
  );
  const policy = parsePolicy(JSON.stringify({ types, told: { banner: 'off', ...told } }));
  const { clean, ledger, runId } = await createRig({ policy }).scan(mail);
  const { text = '', attachments } = await simpleParser(clean ?? '');
  const all = [text, ...attachments.map(({ content }) => content.toString())].join('\n').replaceAll('\r\n', '\n');
  return { all, ledger, reference: referenceOf(runId) };
}

test('a file and a text say what they were, why they are not here, and what the reader can do', async () => {
  const mail = emailWith({ text: 'hello', files: [{ name: 'a.pdf', bytes: PDF }] });
  const { all, ledger, reference } = await textsOf(mail, { placeholder: 'text', contact: 'the desk' });
  const [, body, pdf] = ledger.parts;
  const help = `  If you need the original, ask the desk to release it and give this reference: ${reference}.\n`;
  const why = 'Why it is not here:\n  Files of this kind are not let through by mail.\n\nWhat you can do:\n';
  expect(all).toContain(`The text of this message was withheld.\n\n${why}${help}\nSHA-256: ${body?.sha256}`);
  expect(all).toContain(
    `This file was withheld\n\nName:\n  a.pdf\n\nWhat it was:\n  A PDF document, ${PDF.length} bytes\n\n` +
      `${why}  Ask the sender to send it as a PDF.\n${help}\nSHA-256: ${pdf?.sha256}`,
  );
});

test('a file without a name is said to have none, and a long name is cut', async () => {
  const mail = emailWith({ files: [{ name: 'NAME', bytes: PDF }] });
  const unnamed = mail.replace('; name="NAME"', '').replace('; filename="NAME"', '');
  expect((await textsOf(unnamed, {})).all).toContain('<dd>a file without a name</dd>');
  const long = await textsOf(mail.replaceAll('NAME', `${'x'.repeat(500)}.pdf`), {});
  expect(long.all).toContain(`<dd>${'x'.repeat(199)}…</dd>`);
});

test('a name is text in the page, whatever it is made of', async () => {
  const mail = emailWith({ files: [{ name: '<script>alert(1)<∕script>&.pdf', bytes: PDF }] });
  const { all } = await textsOf(mail, {});
  expect(all).not.toContain('<script>');
  expect(all).toContain('&lt;script&gt;alert(1)');
});

test('the page of the operator is the only link, in the page and in its language', async () => {
  const mail = emailWith({ text: '', files: [{ name: 'https://evil.example/a.pdf', bytes: PDF }] });
  const { all, reference } = await textsOf(mail, {
    language: 'fr',
    deskUrl: 'https://desk.example/?r={reference}&a=b',
  });
  expect(all).toContain('<html lang="fr">');
  const url = `https://desk.example/?r=${reference}&amp;a=b`;
  expect(all.match(/<a [\s\S]*?<\/a>/g)).toEqual([`<a href="${url}">${url}</a>`]);
});
