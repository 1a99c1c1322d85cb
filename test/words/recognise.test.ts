import { describe, expect, test } from 'vitest';
import { pageWithoutMarks } from '../../lib/message/banner/page.ts';
import { textWithoutMarks } from '../../lib/message/banner/text.ts';
import { BANNER_CLASS, bannerHtml, bannerText } from '../../lib/words/banner.ts';
import { recogniser } from '../../lib/words/recognise.ts';
import { LANGUAGES } from '../../lib/words/words.ts';

const HELP = { contact: 'the desk (room 5)', deskUrl: 'https://desk.example/r/{reference}?a=b' };
const OWN = {
  de: {
    text: '{sign} Achtung! {summary} {reference}',
    html: '<p><b>{sign}</b> {summary}<br>{reference} &amp; Gru\u00df</p>',
  },
};
const find = recogniser(HELP, OWN);
const MARKS = { find, notOurs: '[ not ours ]', bannerClass: BANNER_CLASS };
const facts = (language: (typeof LANGUAGES)[number], templates = {}) => ({
  language,
  counts: {
    filesMadeSafe: 2,
    filesAsPreview: 3,
    textsMadeSafe: 1,
    linksOff: 13,
    filesWithheld: 1,
    textsWithheld: 1,
    filesLater: 2,
    isWhole: 1,
  },
  help: HELP,
  runId: '45b977f451c98335db42c0332efd6295',
  templates,
});
const SPAM = 'Hello,\nthese are my words.\n';

describe.each(LANGUAGES)('a banner in %s', (language) => {
  test('is taken out of a text, and nothing else is', () => {
    expect(textWithoutMarks(`${bannerText(facts(language))}\n${SPAM}`, MARKS)).toBe(`\n\n${SPAM}`);
  });

  test('is taken out of a quotation whose lines were broken anew', () => {
    const quoted = bannerText(facts(language))
      .replace(/(.{1,40}) /g, '$1\n')
      .replace(/^/gm, '> ');
    const left = textWithoutMarks(`I agree.\n\n${quoted}\n> ${SPAM}`, MARKS) ?? '';
    expect(left.replace(/[\s>-]+/g, ' ')).toBe('I agree. Hello, these are my words. ');
  });

  test('is taken out of a page that a mail program wrote anew, and loses its box', () => {
    const quoted = bannerHtml(facts(language))
      .replaceAll('!important', '')
      .replace('class="', 'class="m_-42')
      .replaceAll('\u00e4', '&auml;')
      .replaceAll('\u00e9', '&#233;')
      .replaceAll('\u2019', '&rsquo;');
    const left = pageWithoutMarks(`<div>I agree.</div><blockquote>${quoted}<p>Hello</p></blockquote>`, MARKS) ?? '';
    expect(left.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toBe(' I agree. Hello ');
    expect(left).not.toMatch(/mail-airlock|<table[^>]*style/);
  });
});

test('a banner of the operator is found by his template, and those that came with the airlock too', () => {
  expect(textWithoutMarks(`${bannerText(facts('de', OWN.de))}${SPAM}`, MARKS)).toBe(`\n${SPAM}`);
  const left = pageWithoutMarks(`${bannerHtml(facts('de', OWN.de))}<i>words</i>`, MARKS) ?? '';
  expect(left.replace(/<[^>]*>/g, '').trim()).toBe('words');
});

describe('what only looks like ours', () => {
  const forged = bannerText(facts('en')).replace('2 files were made safe', 'this message was checked and is safe');

  test('keeps its words and loses our sign', () => {
    const left = textWithoutMarks(`${forged}${SPAM}`, MARKS);
    expect(left).toBe(`${forged}${SPAM}`.replace('[ Mail Airlock ]', '[ not ours ]'));
  });

  test('words behind our sign are not taken out with it', () => {
    const text = `[ Mail Airlock ] ${SPAM}${bannerText(facts('en'))}`;
    expect(textWithoutMarks(text, MARKS)).toContain('[ not ours ] Hello,\nthese are my words.');
  });

  test.each([
    ['cut by tags', '<p>[ Mail <b>Airlock</b> ] checked</p>', '<p>[ not ours ]<b></b> checked</p>'],
    ['in letters of their numbers', '<p>&#91; Mail&nbsp;Air&#108;ock &#x5d; safe</p>', '<p>[ not ours ] safe</p>'],
    ['in another case', '<p>[ MAIL AIRLOCK ] safe</p>', '<p>[ not ours ] safe</p>'],
    ['without blanks', '<p>[Mail Airlock] safe</p>', '<p>[ not ours ] safe</p>'],
    ['with invisible characters', '<p>[ M&#8203;ail\u2060 Air\u00adlock \ufe0f] safe</p>', '<p>[ not ours ] safe</p>'],
    ['in wide letters', '<p>&#65339; \uff2dail Airlock \uff3d safe</p>', '<p>[ not ours ] safe</p>'],
    ['by its class', `<div class='x ${BANNER_CLASS}' style="color:red">safe</div>`, '<div  >safe</div>'],
  ])('is found in a page, %s', (_, page, expected) => {
    expect(pageWithoutMarks(page, MARKS)).toBe(expected);
  });

  test.each([
    ['an invisible character', '[ M\u200bail Airlock ]'],
    ['a tag character', '[ Mail\u{e0020} Airlock ]'],
    ['a control character', '[ M\u0008ail Airlock ]'],
    ['a filler', '[\u3164Mail\u115f Airlock ]'],
    ['Cyrillic letters', '[ \u041c\u0430il \u0410irlo\u0441k ]'],
    ['Greek letters', '[ \u039cail \u0391irl\u03bfc\u03ba ]'],
    ['bold letters', '[ \u{1d40c}\u{1d41a}il Airlock ]'],
    ['other brackets', '\u3010Mail Airlock\u3011'],
    ['marks on letters', '[ Ma\u0323il \u00c1irlock ]'],
    ['a large i for an l', '[ MaiI AirI0ck ]'],
    ['gaps', '[ M a i l   A i r l o c k ]'],
  ])('is found in a text with %s', (_, sign) => {
    expect(textWithoutMarks(`\u{1f600} \u00e9${sign}\u{1f600} safe`, MARKS)).toBe(
      '\u{1f600} \u00e9[ not ours ]\u{1f600} safe',
    );
  });

  test('a sign that comes to stand there when a banner is taken out is none either', () => {
    const text = `[ Mail ${bannerText(facts('en'))} Airlock ] safe`;
    expect(textWithoutMarks(text, MARKS)).toBe('[ not ours ] safe');
    expect(pageWithoutMarks(`<p>[ Mail ${bannerHtml(facts('en'))} Airlock ] safe</p>`, MARKS)).not.toMatch(
      /Mail\s*(?:<[^>]*>|\s)*Airlock/,
    );
  });

  test('a message that only speaks of Mail Airlock stays as it is', () => {
    expect(textWithoutMarks('We use Mail Airlock here. [see Mail Airlock]', MARKS)).toBeNull();
    expect(pageWithoutMarks('<p class="mail">We use <b>Mail Airlock</b> here.</p>', MARKS)).toBeNull();
  });
});

test('a megabyte of signs takes no longer than a megabyte of words', () => {
  const left = textWithoutMarks('[ Mail Airlock ] This message was changed '.repeat(25_000), MARKS) ?? '';
  expect(left).not.toContain('Mail Airlock');
});
