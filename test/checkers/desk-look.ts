/** Opens every page of the desk as one kind of reader has it: what a page does that it must not, what is too wide, and what axe-core finds. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { PAYLOADS } from '../desk/payloads.ts';
import type { Site } from './desk-site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 A and AA, and what axe-core calls good practice. */
const RUN_AXE =
  'axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 200)).join(" | ")))';

const READ_MAILS = 2;
/** So often is a request sent again on another connection when the one that it was sent on has been closed. */
export const CONNECTIONS = 3;

export interface Look {
  readonly name: string;
  readonly options: BrowserContextOptions;
  /** True when axe-core reads each page. It is a script, so these pages come without their policy. */
  readonly isRead: boolean;
}

export const LOOKS: readonly Look[] = [
  { name: 'with scripts', options: {}, isRead: false },
  { name: 'without scripts, in German', options: { javaScriptEnabled: false, locale: 'de-DE' }, isRead: false },
  { name: 'read by axe-core', options: {}, isRead: true },
  { name: 'read by axe-core in the dark, in German', options: { colorScheme: 'dark', locale: 'de-DE' }, isRead: true },
  {
    name: 'read by axe-core on a phone',
    options: { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
    isRead: true,
  },
];

/** What a page did that it must not. */
export function watch(page: Page, origins: readonly string[]): string[] {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`a script said: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => void seen.push(`a script failed: ${error.message}`));
  page.on('console', (message) => void seen.push(`the console says: ${message.text()}`));
  page.on('request', (request) => {
    if (!origins.some((origin) => request.url().startsWith(`${origin}/`))) seen.push(`it asked for ${request.url()}`);
  });
  return seen;
}

/** Opens every page. `pictures` is a folder that gets a picture of each; null for none. */
export async function look(
  browser: Browser,
  site: Site,
  { name, options, isRead }: Look,
  pictures: string | null,
): Promise<string[]> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const seen = watch(page, [new URL(site.url).origin, new URL(site.recipient).origin]);
  const check = async (number: number) => {
    seen.push(...(await faultsOf(page, isRead)));
    const path = pictures === null ? null : join(pictures, `${name.replaceAll(/\W+/g, '-')}-${number}.png`);
    if (path !== null) await page.screenshot({ path, fullPage: true });
  };
  await page.goto(site.url);
  if (isRead) {
    await withoutPolicy(context);
    await page.reload();
  }
  await check(0);
  const mails = await page
    .locator('tbody a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  if (mails.length !== PAYLOADS.length) seen.push(`${mails.length} mails are listed, not ${PAYLOADS.length}`);
  // axe-core reads elements, and those of one hostile mail are those of every other.
  const read = isRead ? mails.slice(0, READ_MAILS) : mails;
  const all = [...site.paths, ...read].map((path) => new URL(path, site.url).href);
  for (const [number, address] of [...all, site.recipient].entries()) {
    await page.goto(address);
    await check(number + 1);
  }
  await page.goto(new URL('/policy', site.url).href);
  await page.locator('section button').click();
  await page.locator('section h2').first().waitFor();
  await page.waitForLoadState();
  await check(all.length + 2);
  await context.close();
  process.stdout.write(`${name}: ${all.length + 3} pages, ${seen.length} problems\n`);
  return seen;
}

async function withoutPolicy(context: BrowserContext): Promise<void> {
  await context.route('**', async (route) => {
    // A desk closes a connection that rests for five seconds, which on a busy machine may be just when the next request is written to it.
    const answer = await route.fetch({ maxRetries: CONNECTIONS });
    const headers = answer.headers();
    delete headers['content-security-policy'];
    await route.fulfill({ response: answer, headers });
  });
}

/** What is not right with an open page: it is too wide, its address tells a token, or axe-core finds something. */
export async function faultsOf(page: Page, isRead: boolean): Promise<string[]> {
  const width = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth').catch(() => 0));
  const faults = isRead ? await page.evaluate(`${AXE};0`).then(() => page.evaluate<string[]>(RUN_AXE)) : [];
  return [
    ...faults.map((fault) => `${page.url()}: axe-core finds ${fault}`),
    ...(width > 0 ? [`${page.url()} is ${width} pixels too wide`] : []),
    ...(page.url().includes('token') ? ['the token stays in the address'] : []),
  ];
}
