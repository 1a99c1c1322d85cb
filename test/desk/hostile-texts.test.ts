/**
 * Every text that somebody else chose, on every page of the desk and of a recipient: each is one of those of `payloads.ts`, and parse5 reads the page as
 * a browser does. The values are made by their schemas (`filled.ts`), so a field or a page that is added is looked at, or a list here no longer holds.
 */
import { expect, test } from 'vitest';
import { EVENTS, filledPages, strangeLines } from './filled-desk.ts';
import { readableText, strangeIn } from './inert-page.ts';
import { ALL_PAYLOADS } from './payloads.ts';
import { addressesOf } from './routes.ts';

/** The elements and attributes that only some pages have. */
const ALSO = {
  elements: ['iframe', 'img', 'ol', 'em', 'style'],
  attributes: ['src', 'enctype', 'sandbox', 'title', 'alt', 'inputmode', 'data-stage', 'http-equiv'],
};
/** Answers that hold no text of anybody: they are ours, a picture, or lead to another address. */
const WITHOUT_TEXT = new Set([
  ...['/', '/style.css', '/favicon.ico', '/live.js', '/preact.js'],
  '/mails/RUN/parts/1.1/before/1',
]);

const ROW = ['row.reference', 'row.subject'];
const MAIL = [
  ...['message.untrustedSubject', 'message.untrustedFrom', 'intake.envelope.recipients'],
  ...['parts.untrustedNames', 'parts.detectedType', 'urls.untrustedShown', 'artifacts.untrustedUrl'],
  ...['artifacts.reasons', 'artifacts.submissions.untrustedRedirects', 'warnings.path', 'warnings.detail'],
  ...['signatures.contentPath', 'signatures.untrustedSigner', 'signatures.detail'],
  ...['header.from', 'header.by', 'header.at', 'header.server', 'header.method', 'header.result', 'header.subject'],
];
const DESK = ['person', 'row.from', ...ROW, 'ask.recipient', 'ask.untrustedWhy'];
const HELD = [...MAIL, ...DESK, 'reasons.text', 'failure.detail'];
const LIST = ['person', ...ROW, 'row.from', 'row.reasons', 'view.name', 'view.values'];
const STAGES = ['parts.untrustedNames', 'parts.detectedType', 'artifacts.untrustedUrl'];
const FAILED = ['failure.detail', 'reasons.text', 'artifacts.submissions.failure.detail', 'dropped.end.failed'];
const BLOCKS = ['person', 'record.people.name', 'record.people.why', 'record.block.value'];
const AUDIT = [...BLOCKS, 'record.people.id', ...ROW];
const RECIPIENT = ['message.untrustedSubject', 'message.untrustedFrom', 'parts.untrustedNames'];

/** Whose texts a page shows. Whoever adds one looks at how it is shown, and writes it down here. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'the list': LIST,
  'a search': [...LIST, 'asked.words', 'asked.sender', 'asked.host'],
  'a mail': HELD,
  'a mail in German': HELD,
  'a mail as a file': [...MAIL, ...ROW, 'row.from', 'reasons.text'],
  'a released mail': [...MAIL, ...DESK, 'attempt.people.name', 'attempt.people.why'],
  'a decision that was not carried out': [...HELD, 'told'],
  'several decisions': ['person', ...ROW, 'told'],
  'a part': ['person', 'parts.untrustedNames', 'parts.detectedType'],
  'the text of a part': ['drawn.untrustedText'],
  'the overview': ['person', 'row.reasons', ...ROW],
  'what recipients ask for': DESK,
  'the blocks': BLOCKS,
  'a block that was not taken': BLOCKS,
  'the audit trail': AUDIT,
  'records that are searched for': ['person', 'audit.who', 'audit.mail'],
  'the recall': ['person', ...ROW, 'row.from', 'row.to', 'exposure.name'],
  'a policy': ['person'],
  'a policy that was tried': ['person', ...ROW, 'row.from', 'tried.reasons', 'tried.parts.untrustedName'],
  'a policy that is none': ['person', 'typed.policy', 'typed.days'],
  'the files that were dropped': ['person', 'dropped.untrustedName'],
  'a dropped file': ['person', 'dropped.untrustedName', ...STAGES, ...FAILED],
  'a dropped file that was released': [
    ...[
      'person',
      'dropped.untrustedName',
      ...STAGES,
      'dropped.end.failed',
      'attempt.people.name',
      'attempt.people.why',
    ],
    ...['artifacts.submissions.untrustedReasons', 'artifacts.submissions.untrustedRemoved'],
  ],
  [EVENTS]: [...STAGES, ...FAILED],
  'a recipient': RECIPIENT,
  'a recipient of a released mail': RECIPIENT,
};

test('a page shows the texts that are listed for it, and no others', async () => {
  const marks = new Map<string, string>();
  const { pages } = await filledPages((field) => {
    const mark = marks.get(field) ?? `q${marks.size}q`;
    marks.set(field, mark);
    return mark;
  });
  const shown = Object.entries(pages).map(([name, page]) => {
    return [name, [...marks].filter(([, mark]) => page.includes(mark)).map(([field]) => field)] as const;
  });
  const sorted = (fields: readonly string[]) => [...fields].sort();
  expect(Object.fromEntries(shown.map(([name, fields]) => [name, sorted(fields)]))).toEqual(
    Object.fromEntries(Object.entries(SHOWN).map(([name, fields]) => [name, sorted(fields)])),
  );
});

test('every page of the desk is looked at', async () => {
  const { addresses, routes, runId } = await filledPages(() => 'x');
  const all = routes.flatMap((route) => addressesOf(route, 'RUN'));
  const seen = new Set([...addresses].map((address) => address.replace(runId, 'RUN')));
  expect(all.filter((address) => !seen.has(address) && !WITHOUT_TEXT.has(address))).toEqual([]);
});

test('there are at least 40 texts that want to be more than text', () => {
  expect(new Set(ALL_PAYLOADS.map(({ text }) => text)).size).toBeGreaterThanOrEqual(40);
});

test.each(ALL_PAYLOADS)('$text is text wherever a page shows it, and can be read there', async ({ text, reads }) => {
  const { pages } = await filledPages(() => text);
  expect(strangeLines(pages)).toEqual([]);
  for (const [name, page] of Object.entries(pages)) {
    if (name === EVENTS) continue;
    expect([name, strangeIn(page, ALSO)]).toEqual([name, []]);
    expect(`${name}: ${readableText(page)}`).toContain(reads);
  }
});
