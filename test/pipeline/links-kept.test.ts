/** Every link in what is rebuilt was judged and may stay, whoever wrote it. */
import { expect, test } from 'vitest';
import { ORDINARY_MAIL } from '../message/ordinary-mail.ts';
import { createRig, emailWith } from './rig.ts';

test('a link that only the disarmed file holds is taken out of it', async () => {
  const disarmed = Buffer.from('<p><a href="https://nobody.example/judged">read</a> https://nobody.example/too</p>');
  const rig = createRig({ script: { answer: ({ kind }) => (kind === 'cdr' ? { disarmed } : {}) } });
  const html = '<p><a href="https://known.example/">read</a></p>';
  const { clean } = await rig.scan(emailWith({ html, files: [{ name: 'a.html', bytes: html }] }));
  expect(clean).not.toBeNull();
  const texts = (clean ?? '')
    .split('\r\n\r\n')
    .map((text) => `${text} ${Buffer.from(text, 'base64').toString()}`)
    .join();
  expect(texts).not.toMatch(/https:\/\/nobody\.example/);
});

test('an ordinary mail is delivered with all of its links', async () => {
  const rig = createRig();
  const failed: string[] = [];
  for (const { name, email } of ORDINARY_MAIL) {
    const { ledger } = await rig.scan(email, `${name}.eml`);
    failed.push(...ledger.reasons.filter(({ code }) => code === 'run_failed').map(({ text }) => `${name}: ${text}`));
  }
  expect(failed).toEqual([]);
});
