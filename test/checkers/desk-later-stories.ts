/** What people do at a desk less often: they block a file and a link, see what is to be recalled, take a block back, analyse again, save a report, and sign out. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { MAILS } from './desk-office.ts';
import { follow, headingOf, rowsOf } from './desk-steps.ts';
import { decide, holds, open, type Story, urlOf } from './desk-story.ts';

const LINK = 'https://www.bad.example/pay?n=7';
const textOf = async (page: Page) => (await page.locator('main').textContent()) ?? '';

/** A file of a mail that was delivered is blocked: the mail is to be recalled, until the block is taken back. */
const fileBlocked: Story = async ({ as }) => {
  const page = await as('pat');
  await open(page, MAILS.macro);
  const form = 'form[action="/blocks/block"]:has(input[value=file])';
  const value = await page.locator(`${form} option`, { hasText: 'terms.pdf' }).first().getAttribute('value');
  await page.locator(`${form} select`).selectOption(value);
  await page.locator(`${form} input[name=why]`).fill('it is a lure');
  await follow(page, `${form} button`);
  const list = await textOf(page);
  await page.goto(urlOf(page, '/recall'));
  const recalled = await textOf(page);
  await follow(page, 'tbody a');
  const isThere = (await textOf(page)).includes(MAILS.macro);
  await page.goto(urlOf(page, '/blocks'));
  const row = page.locator('tbody tr', { hasText: value ?? '' });
  await row.locator('summary').click();
  await row.locator('input[name=why]').fill('it was none');
  await Promise.all([page.waitForEvent('load'), row.locator('button').click()]);
  const after = await textOf(page);
  await page.goto(urlOf(page, '/recall'));
  return [
    ...holds('a file is on the list of blocks', list.includes(value ?? '?') && list.includes('it is a lure')),
    ...holds('the mail that delivered it is to be recalled', recalled.includes(MAILS.macro) && isThere),
    ...holds('a block is taken back', !after.includes(value ?? '')),
    ...holds('nothing is to be recalled then', !(await textOf(page)).includes(MAILS.macro)),
  ];
};

/** A link is blocked as it is typed, and one of a mail as it is chosen. */
const linksBlocked: Story = async ({ as, pictures }) => {
  const page = await as('pat');
  await page.goto(urlOf(page, '/blocks'));
  await page.locator('section form select[name=kind]').first().selectOption('url');
  await page.locator('section form input[name=value]').first().fill(LINK);
  await page.locator('section form input[name=why]').first().fill('phishing');
  await follow(page, 'section form button');
  await open(page, MAILS.invoice);
  const form = 'form[action="/blocks/block"]:has(input[value=url])';
  await page.locator(`${form} input[name=why]`).fill('the same people');
  await follow(page, `${form} button`);
  const list = await textOf(page);
  const links = await page.locator('tbody a').count();
  return [
    ...(await pictures.take(page, 'desk-blocks')),
    ...holds('a typed link is blocked', list.includes('www[.]bad[.]example/pay?n=7') && list.includes('phishing')),
    ...holds('a link of a mail is blocked', list.includes('www[.]sender[.]example/pay?n=118')),
    ...holds('neither is a link on the list', links === 0),
  ];
};

const rescanned: Story = async ({ as }) => {
  const page = await as('pat');
  await open(page, MAILS.parcel);
  await decide(page, 'rescan', 'the rules are new');
  const text = await textOf(page);
  const isHeld = (await headingOf(page)).startsWith('Held because of');
  return holds('a mail is analysed again, and stays held for the same', isHeld && text.includes('2 (rescan)'));
};

const severalReleased: Story = async ({ as }) => {
  const page = await as('pat');
  const subjects = [MAILS.third, MAILS.fourth];
  for (const subject of subjects) await page.locator('tr', { hasText: subject }).locator('input[name=run]').check();
  await page.locator('.selected input[name=why]').fill('their senders called');
  await follow(page, 'button[value=release]');
  const problems = holds('two mails are released at once', (await headingOf(page)).startsWith('2 of 2'));
  for (const subject of subjects) {
    await open(page, subject);
    const said = await headingOf(page);
    problems.push(
      ...holds(`each is released by itself (${said})`, said.includes('pat (their senders called) released')),
    );
  }
  return problems;
};

/** The page as a file opens without the desk, and holds nothing that acts. */
const reportSaved: Story = async ({ as, office }) => {
  const page = await as('pat');
  await open(page, MAILS.invoice);
  const begun = page.waitForEvent('download');
  await page.locator('a[href$="/report.html"]').click();
  const saved = await begun;
  const path = join(office.out, 'report.html');
  await saved.saveAs(path);
  await page.goto(pathToFileURL(path).href);
  return [
    ...holds('the report is saved under the name of the run', /^[0-9a-f]{32}\.html$/.test(saved.suggestedFilename())),
    ...holds('it says why the mail is held', (await headingOf(page)).startsWith('Held because of invoice-2026-118')),
    ...holds('it has no forms, links and scripts', (await page.locator('form, a, script, link').count()) === 0),
  ];
};

/** The cookie of a browser that somebody copied is worth nothing afterwards. */
const signedOut: Story = async ({ as }) => {
  const [page, copied] = [await as('pat'), await as('pat')];
  await follow(page, 'form[action="/sign-out"] button');
  const said = await headingOf(page);
  const statuses = await Promise.all(
    [page, copied].map(async (each) => (await each.goto(urlOf(each, '/mails')))?.status()),
  );
  const again = await as('pat');
  return [
    ...holds(`a person signs out (${said})`, said.startsWith('You are signed out')),
    ...holds(
      `both browsers are out (${statuses.join(', ')})`,
      statuses.every((status) => status === 403),
    ),
    ...holds('the printed address lets the person in again', (await headingOf(again)) !== ''),
  ];
};

/** A person looks up who decided what, by the form and by the name of a person, and opens the mail. */
export const auditRead: Story = async ({ as, pictures }) => {
  const page = await as('pat');
  await follow(page, 'nav a[href="/audit"]');
  const text = await textOf(page);
  const problems = [...(await pictures.take(page, 'desk-audit'))];
  problems.push(...holds('the trail of the office holds', text.includes('The trail holds (all')));
  problems.push(...holds('it has the reason of a decision', text.includes('nobody wants them')));
  await page.locator('select[name=what]').selectOption('release');
  await follow(page, 'form[action="/audit"] button');
  problems.push(...holds('one action is looked up', (await rowsOf(page)) === 1));
  await follow(page, 'tbody a[href^="/audit?who="]');
  problems.push(...holds('one person is looked up', page.url().endsWith('who=pat') && (await rowsOf(page)) > 3));
  await follow(page, `tbody a:text-is("${MAILS.spam}")`);
  return [...problems, ...holds('a record leads to its mail', (await headingOf(page)).includes('released'))];
};

/** In this order: what was blocked counts for what is delivered later. */
export const LATER_STORIES: Readonly<Record<string, Story>> = {
  'a mail is analysed again': rescanned,
  'mails are selected and released': severalReleased,
  'a report is saved': reportSaved,
  'a file is blocked, recalled and unblocked': fileBlocked,
  'links are blocked': linksBlocked,
  'a person signs out': signedOut,
};
