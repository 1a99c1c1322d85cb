import { expect, test } from 'vitest';
import { type Answer, createRig, emailWith } from './rig.ts';

const SCRIPT = 'javascript:(function(){document.title=1})()';
const PAGE = `<html><body><p>My bookmarks</p><a href="${SCRIPT}">Tidy up</a></body></html>`;
const FILE = { name: 'marks.html', type: 'text/html', bytes: PAGE };

async function scan(email: string) {
  const answer = ({ kind }: { kind: string }): Answer => (kind === 'url_analysis' ? { verdict: 'malicious' } : {});
  const { ledger, clean } = await createRig({ script: { answer } }).scan(email);
  return { ledger, clean, codes: ledger.reasons.map(({ code }) => code) };
}

test('a bookmarklet in an attached page is taken out and does not hold the message', async () => {
  const { ledger, clean } = await scan(emailWith({ files: [FILE] }));
  expect(ledger.disposition).toBe('deliver');
  expect(ledger.urls.map(({ where }) => where)).toEqual(['attribute']);
  const page = Buffer.from(clean?.match(/marks[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/)?.[1] ?? '', 'base64').toString();
  expect(`${clean} ${page}`).toContain('My bookmarks');
  expect(`${clean} ${page}`).not.toContain(SCRIPT);
});

test('the same link in the message itself holds it, and so does another malicious link in the page', async () => {
  const inBody = await scan(emailWith({ html: PAGE, files: [FILE] }));
  expect(inBody.codes).toContain('malicious');
  const web = { ...FILE, bytes: PAGE.replace(SCRIPT, 'https://bad.example/x') };
  expect((await scan(emailWith({ files: [web] }))).codes).toContain('malicious');
  const vbscript = { ...FILE, bytes: PAGE.replace(SCRIPT, 'vbscript:MsgBox(1)') };
  expect((await scan(emailWith({ files: [vbscript] }))).codes).toContain('malicious');
});
