/** A browser that asks for German gets no sentence of the English desk, on any page and in any refusal. */
import { describe, expect, test } from 'vitest';
import { de } from '../../lib/desk/languages/de.ts';
import { en } from '../../lib/desk/languages/en.ts';
import { ODD_DE } from '../../lib/desk/languages/odd-de.ts';
import { ODD_EN } from '../../lib/desk/languages/odd-en.ts';
import { RUN_WORDS_DE } from '../../lib/desk/languages/run-de.ts';
import { RUN_WORDS } from '../../lib/pipeline/runs/sentence.ts';
import { emailWith, PDF } from '../pipeline/rig.ts';
import { type Desk, HELD, openDesk } from './desk-rig.ts';

const GERMAN = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' };
type Words = Readonly<Record<string, string>>;
const CATALOGUES: readonly (readonly [Words, Words])[] = [
  [en, de],
  [ODD_EN, ODD_DE],
  [RUN_WORDS, RUN_WORDS_DE],
];
/** Words that are the same in both languages. */
const ALIKE = new Set(['name', 'links', 'hashes', 'p50', 'p95', 'foundLinks']);
/** Words that only one of the two says. */
const ONLY_GERMAN = new Set(['findingsLanguage', 'recordSays']);

describe('every word of the desk', () => {
  test.each(
    CATALOGUES.flatMap(([english, german]) =>
      Object.keys(english).map((key) => [key, english[key] ?? '', german[key] ?? '']),
    ),
  )('%s is said in both languages, with the same places for names and figures', (key, english, german) => {
    if (!ONLY_GERMAN.has(key)) expect([english !== '', german !== '']).toEqual([true, true]);
    if (!ALIKE.has(key)) expect(german).not.toBe(english);
    const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
    expect(places(german)).toEqual(places(english));
  });
});

/** English texts of two words and more, cut at the places where something is filled in. */
const SENTENCES = CATALOGUES.flatMap(([english, german]) =>
  Object.entries(english)
    .filter(([key, text]) => text !== german[key])
    .flatMap(([, text]) => text.split(/\{\w+\}/))
    .map((piece) => piece.trim())
    .filter((piece) => /\w+ \w+/.test(piece)),
);

const textOf = (page: string) =>
  page
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ');
const englishIn = (page: string) => SENTENCES.filter((sentence) => textOf(page).includes(sentence));

test('a page in English is seen to be English', async () => {
  const { get } = await openDesk();
  expect(englishIn(await (await get('/mails')).text())).toContain('No mail fits.');
});

/** What a person can ask for. */
const ASKED: Readonly<Record<string, (desk: Desk, mail: Mails) => Promise<Response>>> = {
  'the list': ({ get }) => get('/mails?state=', GERMAN),
  'an empty list': ({ get }) => get('/mails?sender=x@y.example', GERMAN),
  'a held mail': ({ get }, { held }) => get(`/mails/${held}`, GERMAN),
  'a delivered mail': ({ get }, { delivered }) => get(`/mails/${delivered}`, GERMAN),
  'an odd mail': ({ get }, { odd }) => get(`/mails/${odd}`, GERMAN),
  'a released mail': ({ get }, { released }) => get(`/mails/${released}`, GERMAN),
  'a part': ({ get }, { held }) => get(`/mails/${held}/parts/1.1`, GERMAN),
  'a part that cannot be shown': ({ get }, { held }) => get(`/mails/${held}/parts/1.2`, GERMAN),
  'dropping a file': ({ get }) => get('/drop', GERMAN),
  'the overview': ({ get }) => get('/overview?days=7', GERMAN),
  'who asks': ({ get }) => get('/asks', GERMAN),
  'what is recalled': ({ get }) => get('/recall', GERMAN),
  'what is blocked': ({ get }) => get('/blocks', GERMAN),
  'the audit trail': ({ get }) => get('/audit', GERMAN),
  'a search in the audit trail': ({ get }) => get('/audit?who=nobody', GERMAN),
  'a policy to try': ({ get }) => get('/policy', GERMAN),
  'a page that is not there': ({ get }) => get('/nowhere', GERMAN),
  'nothing, without the cookie': ({ send }) => send('/mails', { headers: GERMAN }),
  'nothing, with a wrong token': ({ send }) => send('/?token=x', { headers: GERMAN }),
  'a policy that is tried': ({ post }) => post('/policy', { policy: '{}', days: '7' }, GERMAN),
  'a policy of no days': ({ post }) => post('/policy', { policy: '{}', days: 'x' }, GERMAN),
  'a decision without a reason': ({ post }, { held }) =>
    post(`/mails/${held}/delete`, { why: '', attempt: '1' }, GERMAN),
  'a decision about something else': ({ post }, { held }) =>
    post(`/mails/${held}/delete`, { why: 'x', attempt: '9' }, GERMAN),
  'a selection of nothing': ({ post }) => post('/selected', { why: 'x', decision: 'delete' }, GERMAN),
  'a selection without a reason': ({ post }, { held }) =>
    post('/selected', { why: '', decision: 'delete', run: `${held}-1` }, GERMAN),
  'a selection': ({ post }, { other }) =>
    post('/selected', { why: 'x', decision: 'delete', run: `${other}-1` }, GERMAN),
  'nothing to block': ({ post }) => post('/blocks/block', { kind: 'file', value: 'x', why: 'x' }, GERMAN),
  'a block': ({ post }) => post('/blocks/block', { kind: 'host', value: 'evil.example', why: 'x' }, GERMAN),
  'a false alarm': ({ post }, { held }) => post(`/mails/${held}/false-alarm`, { why: 'x' }, GERMAN),
  'a view without a name': ({ post }) => post('/views/save', { name: '', view: 'state=' }, GERMAN),
  'a form of another page': ({ post }) => post('/blocks/block', {}, { ...GERMAN, origin: 'http://evil.example' }),
  'a form of an earlier desk': ({ post }) => post('/blocks/block', { csrf: 'x' }, GERMAN),
  'no form': ({ post }) => post('/blocks/block', {}, { ...GERMAN, 'content-type': 'text/plain' }),
  'a form that is too long': ({ post }) => post('/blocks/block', { value: 'x'.repeat(20_000) }, GERMAN),
};

interface Mails {
  readonly held: string;
  readonly other: string;
  readonly delivered: string;
  readonly odd: string;
  readonly released: string;
}

test.each(Object.keys(ASKED))('%s says nothing in English', async (name) => {
  const desk = await openDesk('admin');
  const text = 'See https://www.sender.example/x';
  const mails = {
    held: await desk.scan(HELD),
    other: await desk.scan(HELD.replace('Invoice', 'Another')),
    delivered: await desk.scan(emailWith({ subject: 'Guten Tag', text, files: [{ name: 'a.bin', bytes: 'x' }] })),
    odd: await desk.scan(
      emailWith({ text }).replace('Content-Type: text/plain', 'Content-Type: text/html\r\nContent-Type: text/plain'),
    ),
    released: await desk.scan(emailWith({ subject: 'Frei', files: [{ name: 'b.pdf', bytes: `${PDF} ` }] })),
  };
  await desk.post(`/mails/${mails.released}/release`, { why: 'x', attempt: '1' });
  const answer = await ASKED[name]?.(desk, mails);
  const page = (await answer?.text()) ?? '';
  if (page !== '') expect(englishIn(page)).toEqual([]);
  else expect(answer?.status).toBe(303);
});

test('a reader is told in German why nothing can be decided', async () => {
  const { get, post, scan } = await openDesk('reader');
  const runId = await scan(HELD);
  for (const answer of [
    await get(`/mails/${runId}`, GERMAN),
    await post(`/mails/${runId}/delete`, { why: 'x' }, GERMAN),
  ])
    expect(englishIn(await answer.text())).toEqual([]);
});
