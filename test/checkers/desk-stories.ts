/** What people do at a desk with 10,000 runs, clicked through in a browser. All of it works with scripts off; a dropped file is also watched live. */
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { auditRead, LATER_STORIES } from './desk-later-stories.ts';
import { MAILS, type Office, RUNS } from './desk-office.ts';
import type { Pictures } from './desk-pictures.ts';
import { FIXTURE } from './desk-site.ts';
import { enter, follow, headingOf, rowsOf, tabTo, untilItEnds } from './desk-steps.ts';
import { decide, holds, open, type Story, urlOf, WIDE } from './desk-story.ts';

const quarantine: Story = async ({ as, pictures }) => {
  const page = await as('pat');
  const problems = [...(await pictures.take(page, 'desk-held'))];
  problems.push(...holds('a page lists 50 mails', (await rowsOf(page)) === 50));
  await follow(page, '.counts a');
  problems.push(...holds('a reason filters', page.url().includes('reason=') && (await rowsOf(page)) === 50));
  await follow(page, '.pages a:last-child');
  problems.push(...holds('older mail follows', page.url().includes('after=') && (await rowsOf(page)) === 50));
  const searches: readonly (readonly [string, string, number])[] = [
    ['sender', 'p8@firm8.example', 3],
    ['words', 'application 20004', 1],
    ['recipient', 'nobody@corp.example', 0],
  ];
  for (const [field, value, least] of searches) {
    await page.goto(urlOf(page, '/mails?state='));
    await page.locator(`form[action="/mails"] input[name=${field}]`).fill(value);
    await follow(page, 'form[action="/mails"] button');
    const found = (await page.locator('tbody').count()) === 0 ? 0 : await rowsOf(page);
    problems.push(
      ...holds(`${field} ${value} finds ${least} (found ${found})`, least === 0 ? found === 0 : found >= least),
    );
  }
  return problems;
};

const severalAtOnce: Story = async ({ as }) => {
  const page = await as('pat');
  for (const subject of [MAILS.first, MAILS.second])
    await page.locator('tr', { hasText: subject }).locator('input[name=run]').check();
  await page.locator('.selected input[name=why]').fill('nobody wants them');
  await follow(page, 'button[value=delete]');
  return holds('two mails were deleted at once', (await headingOf(page)).startsWith('2 of 2'));
};

const savedView: Story = async ({ as }) => {
  const page = await as('pat');
  await page.goto(urlOf(page, '/mails?state=delivered'));
  await page.locator('summary').first().click();
  await page.locator('form[action="/views/save"] input[name=name]').fill('What went out');
  await follow(page, 'form[action="/views/save"] button');
  await page.goto(urlOf(page, '/mails'));
  await follow(page, 'a:text-is("What went out")');
  return holds(
    'a saved view leads to its list',
    page.url().endsWith('/mails?state=delivered') && (await rowsOf(page)) === 50,
  );
};

const mail: Story = async ({ as, pictures }) => {
  const page = await as('pat');
  await open(page, MAILS.invoice);
  const text = (await page.locator('main').textContent()) ?? '';
  const problems = [
    'types.executable.verdicts.malicious',
    'mx[.]sender[.]example',
    'yes (pass)',
    'hxxps',
    'EICAR',
  ].flatMap((part) => holds(`the page of a mail says ${part}`, text.includes(part)));
  problems.push(...holds('it begins with why', (await headingOf(page)).startsWith('Held because of invoice-2026-118')));
  problems.push(...(await pictures.take(page, 'desk-mail')));
  const saved = page.waitForEvent('download');
  const original = page.locator('details:has(form[action$="/original.zip"])');
  await original.locator('summary').click();
  await original.locator('input[name=why]').fill('to look at it in the lab');
  await original.locator('button').click();
  problems.push(...holds('the original is saved as a zip', (await saved).suggestedFilename().endsWith('.zip')));
  const german = await as('pat', { colorScheme: 'dark', locale: 'de-DE' });
  await open(german, MAILS.invoice);
  problems.push(...(await pictures.take(german, 'desk-mail-dark')));
  const phone = await as('pat', { viewport: { width: 390, height: 800 } });
  await open(phone, MAILS.invoice);
  problems.push(...(await pictures.take(phone, 'desk-mail-phone')));
  return problems;
};

const part: Story = async ({ as, pictures }) => {
  const page = await as('pat');
  await open(page, MAILS.macro);
  await follow(page, '.tree li:has(> code):has-text("terms.pdf") a');
  const drawn = await page.locator('.sides img').count();
  return [...holds('a PDF is drawn on both sides', drawn === 2), ...(await pictures.take(page, 'desk-part'))];
};

const drop: Story = async ({ as, pictures }) => {
  const page = await as('pat', { javaScriptEnabled: true });
  await page.goto(urlOf(page, '/drop'));
  const buffer = await readFile(FIXTURE);
  await page.locator('input[type=file]').setInputFiles({ name: 'invoice.eml', mimeType: 'message/rfc822', buffer });
  await follow(page, 'section button');
  await untilItEnds(page);
  const stages = await page.locator('ol.stages > .done').count();
  return [
    ...holds(`the stages of a dropped mail are seen (${stages})`, stages >= 6),
    ...(await pictures.take(page, 'desk-drop')),
  ];
};

/** Searched for, opened and released with the keyboard alone. */
const released: Story = async ({ as }) => {
  const page = await as('pat');
  const problems = await tabTo(page, 'form[action="/mails"] input[name=words]');
  await page.keyboard.type(MAILS.spam);
  await enter(page);
  problems.push(...(await tabTo(page, 'tbody a')));
  await enter(page);
  problems.push(...(await tabTo(page, 'form[action$="/release"] input[name=why]')));
  await page.keyboard.type('the sender called');
  problems.push(...(await tabTo(page, 'form[action$="/release"] button')));
  await enter(page);
  const isReleased = (await headingOf(page)).includes('pat (the sender called) released what was rebuilt');
  return [...problems, ...holds('a mail is released as rebuilt', isReleased)];
};

const releasedByBoth: Story = async ({ as }) => {
  const pages = [await as('pat'), await as('kim')];
  for (const each of pages) {
    await open(each, MAILS.both);
    await each.locator('form[action$="/release"] input[name=why]').fill('at once');
  }
  const [page] = pages as [Page, Page];
  const address = page.url();
  await Promise.all(pages.map((each) => follow(each, 'form[action$="/release"] button')));
  const told = await Promise.all(pages.map((each) => each.locator('[role=status]').count()));
  // The second one is answered at once, while the release of the first one still runs.
  await page.goto(address);
  const said = await headingOf(page);
  const by = ['pat', 'kim'].filter((name) => said.includes(`${name} (at once)`));
  return [
    ...holds(
      `one of two people at once is told that it is decided (${told.join(', ')})`,
      told.filter((count) => count > 0).length === 1,
    ),
    ...holds(`one of them released it (${said})`, by.length === 1),
  ];
};

const originalByTwo: Story = async ({ as }) => {
  const page = await as('pat');
  await open(page, MAILS.minutes);
  await decide(page, 'original', 'it is ours');
  const told = (await page.locator('[role=status]').first().textContent()) ?? '';
  const still = (await page.locator('.state').first().textContent()) ?? '';
  const other = await as('kim');
  await open(other, MAILS.minutes);
  await decide(other, 'original', 'I know the sender');
  const said = await headingOf(other);
  return [
    ...holds(`one person alone releases no original (${told})`, told.includes('second person') && still === 'held'),
    ...holds(
      `two people release it (${said})`,
      said.includes('pat (it is ours) and kim (I know the sender) released its original'),
    ),
  ];
};

const deleted: Story = async ({ as }) => {
  const page = await as('pat');
  await open(page, MAILS.game);
  await decide(page, 'delete', 'a game');
  return holds('a mail is deleted', (await headingOf(page)).includes('pat (a game) deleted it'));
};

const blocked: Story = async ({ as }) => {
  const page = await as('pat');
  await open(page, MAILS.invoice);
  await decide(page, 'false-alarm', 'the name is theirs');
  const noted = (await page.locator('main').textContent()) ?? '';
  await open(page, MAILS.invoice);
  const form = 'form[action="/blocks/block"]:has(input[value=sender])';
  await page.locator(`${form} input[name=why]`).fill('phishing');
  await follow(page, `${form} button`);
  const list = (await page.locator('main').textContent()) ?? '';
  return [
    ...holds('a false alarm is noted', noted.includes('noted in the audit trail')),
    ...holds('a sender is blocked', list.includes('ana[@]sender[.]example') && list.includes('phishing')),
  ];
};

const recipient: Story = async ({ browser, office, as, pictures }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: WIDE });
  const page = await context.newPage();
  await page.goto(office.recipient);
  const problems = await pictures.take(page, 'desk-recipient');
  await page.locator('input[name=why]').fill('I wait for it');
  await follow(page, 'form button');
  const desk = await as('pat');
  await desk.goto(urlOf(desk, '/asks'));
  const asked = (await desk.locator('tbody').textContent()) ?? '';
  await context.close();
  return [
    ...problems,
    ...holds('the desk lists who asks', asked.includes('I wait for it') && asked.includes(MAILS.invoice)),
  ];
};

const whatIf: Story = async ({ as, pictures }) => {
  const page = await as('pat');
  await page.goto(urlOf(page, '/policy'));
  await page
    .locator('textarea')
    .fill('{"types":{"pdf":{"verdicts":{"suspicious":"remove"}},"office":{"verdicts":{"suspicious":"remove"}}}}');
  await page.locator('input[name=days]').fill('1');
  await follow(page, 'section button');
  const text = (await page.locator('main').textContent()) ?? '';
  return [
    ...holds('another policy is tried', /would be (?:held|delivered)/.test(text)),
    ...(await pictures.take(page, 'desk-policy')),
  ];
};

const overview: Story = async ({ as, pictures }) => {
  const page = await as('pat');
  await page.goto(urlOf(page, '/overview?days=7'));
  const cells = await page.locator('.facts td').allTextContents();
  const mails = Number(cells[0]?.replaceAll(/\D/g, ''));
  return [
    ...holds(`the overview counts all mail (${mails})`, mails >= RUNS),
    ...(await pictures.take(page, 'desk-overview')),
  ];
};

/** In this order: what is looked at first is not changed yet by what is decided later. */
const STORIES: Readonly<Record<string, Story>> = {
  'the quarantine is filtered and searched': quarantine,
  'a mail is read': mail,
  'a part is looked at': part,
  'the overview is read': overview,
  'a recipient asks': recipient,
  'another policy is tried': whatIf,
  'a mail is dropped and watched': drop,
  'a view is saved': savedView,
  'mails are selected and deleted': severalAtOnce,
  'a mail is released as rebuilt, with the keyboard alone': released,
  'the audit trail is read': auditRead,
  'two people release a mail at once': releasedByBoth,
  'an original is released by two people': originalByTwo,
  'a mail is deleted': deleted,
  ...LATER_STORIES,
  'a sender is blocked, and a false alarm reported': blocked,
};

/** Clicks through all of them, and says what does not hold. */
export async function clickThrough(browser: Browser, office: Office, pictures: Pictures): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, story] of Object.entries(STORIES)) {
    const contexts: (() => Promise<void>)[] = [];
    const as = async (person: 'pat' | 'kim', options: BrowserContextOptions = {}) => {
      const context = await browser.newContext({ javaScriptEnabled: false, viewport: WIDE, ...options });
      contexts.push(() => context.close());
      const page = await context.newPage();
      await page.goto(office[person]);
      return page;
    };
    const began = performance.now();
    const found = await story({ browser, office, pictures, as }).catch((error: unknown) => [
      String(error).slice(0, 400),
    ]);
    for (const close of contexts) await close();
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    process.stdout.write(`story: ${name}: ${found.length === 0 ? 'holds' : 'DOES NOT HOLD'} (${seconds} s)\n`);
    problems.push(...found.map((each) => `${name}: ${each}`));
  }
  await pictures.end();
  return problems;
}
