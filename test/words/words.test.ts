import { describe, expect, test } from 'vitest';
import { REASON_CODES, REMOVAL_CODES } from '../../lib/pipeline/reason-codes.ts';
import { WHY_OF_CODE } from '../../lib/pipeline/rebuilding/why-words.ts';
import { bannerHtml, bannerText } from '../../lib/words/banner.ts';
import { summaryOf, whyOf, wordsIn } from '../../lib/words/in-language.ts';
import { earlierReferenceOf, referenceIn, referenceOf } from '../../lib/words/reference.ts';
import { CHANGES, type Counts, LANGUAGES, WHYS } from '../../lib/words/words.ts';

const RUN = '45b977f451c98335db42c0332efd6295';
const NOTHING: Counts = {
  filesMadeSafe: 0,
  filesAsPreview: 0,
  textsMadeSafe: 0,
  linksOff: 0,
  filesWithheld: 0,
  textsWithheld: 0,
  filesLater: 0,
  isWhole: 0,
};

/** Every text of a language, with the place where it stands. */
function texts(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, inner]) => texts(inner, `${path}.${key}`));
}

const variables = (text: string) => [...text.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name).sort();

describe.each(LANGUAGES)('the words in %s', (language) => {
  test.each([...REASON_CODES, ...REMOVAL_CODES])('say why: %s', (code) => {
    for (const subject of ['file', 'message'] as const) {
      const sentence = whyOf(language, WHY_OF_CODE[code], subject);
      expect(sentence).toMatch(/^\p{Lu}[^{}]{15,}\.$/u);
    }
  });

  test('have the same variables as in English, and no word of the house', () => {
    const english = new Map(texts(wordsIn('en'), ''));
    for (const [path, text] of texts(wordsIn(language), '')) {
      expect([path, variables(text)]).toEqual([path, variables(english.get(path) ?? '')]);
      expect(text).not.toMatch(/\b(?:verdict|score|intake|artifact|disposition|policy|disarm|CDR)\b/i);
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}<>]/u);
    }
  });

  test('count what was done, with a capital at the beginning', () => {
    for (const change of CHANGES) {
      expect(summaryOf(language, { ...NOTHING, [change]: 1 })).toMatch(/^[\p{Lu}1][^{}]+\.$/u);
      expect(summaryOf(language, { ...NOTHING, [change]: 12 })).not.toContain('{n}');
    }
    expect(summaryOf(language, { ...NOTHING, filesMadeSafe: 12 })).toContain('12');
    expect(summaryOf(language, NOTHING)).toBe('');
  });

  test('differ from English', () => {
    const english = new Set(texts(wordsIn('en').why, '').map(([, text]) => text));
    const same = texts(wordsIn(language).why, '').filter(([, text]) => english.has(text));
    expect(same).toHaveLength(language === 'en' ? WHYS.length : 0);
  });
});

test('every sentence about a reason is used by some code', () => {
  expect([...new Set(Object.values(WHY_OF_CODE))].sort()).toEqual([...WHYS].sort());
});

test('the reference has no letter that is mistaken for a digit, and what people quote is read as either form of it', () => {
  expect(referenceOf(RUN)).toBe('8P-WQFX');
  expect([' 8p-wqfx', '45b9-77f4-51C9'].map(referenceIn)).toEqual(['8P-WQFX', '45B9-77F4-51C9']);
  expect(referenceIn('45b9-77f4-51C9')).toBe(earlierReferenceOf(RUN));
  for (const text of ['', '8P-WQFX1', 'OI-ULXX', '8P WQFX', '45b9-77f4', RUN]) expect(referenceIn(text)).toBeNull();
});

describe('the banner', () => {
  const facts = {
    language: 'en' as const,
    counts: { ...NOTHING, filesMadeSafe: 1, linksOff: 1, filesWithheld: 1 },
    help: { contact: 'the "help" & support desk', deskUrl: '' },
    runId: RUN,
    templates: {},
  };

  test('says what was done, whom to ask, and the reference', () => {
    expect(bannerText(facts)).toBe(
      [
        '[ Mail Airlock ] This message was changed before it reached you.',
        '1 file was made safe, 1 link was switched off, 1 file was withheld.',
        'If you need the original, ask the "help" & support desk and give this reference: 8P-WQFX.',
        '-'.repeat(70),
        '',
      ].join('\n'),
    );
    expect(bannerHtml(facts)).toContain('ask the &quot;help&quot; &amp; support desk and');
  });

  test('takes the template of the operator, and fills in what is named', () => {
    const templates = {
      text: '{sign} {summary} Call {contact}: {reference} {nobody}',
      html: '<p>{summary} {help}</p>',
    };
    expect(bannerText({ ...facts, templates })).toBe(
      '[ Mail Airlock ] 1 file was made safe, 1 link was switched off, 1 file was withheld. ' +
        'Call the "help" & support desk: 8P-WQFX {nobody}\n',
    );
    expect(bannerHtml({ ...facts, templates })).toMatch(/^<p>1 file was made safe.*8P-WQFX\.<\/p>$/);
  });
});
