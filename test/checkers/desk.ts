/**
 * `npm run check:desk`: the real Chromium opens the desk on held hostile mail, with and without scripts, on a phone and in the dark. Nothing of
 * a mail may run, load or lead elsewhere; a page of another place can neither decide nor frame it; a person can release. Exit codes: 0
 * everything holds, or skipped because Chromium is not there (it says so); 1 something does not hold.
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { runCli } from '../../lib/local/cli.ts';
import { PAYLOADS } from '../desk/payloads.ts';
import { airlock } from '../local/console.ts';
import { emailWith } from '../pipeline/rig.ts';
import { missingOf, programPath } from './tools.ts';

const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const EVIL = 'http://evil.invalid';
const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['with scripts', {}],
  ['without scripts, in German', { javaScriptEnabled: false, locale: 'de-DE' }],
  ['on a phone, in the dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
];

const print = (text: string) => process.stdout.write(`${text}\n`);

/** What a page did that it must not. */
function watch(page: Page, origin: string): string[] {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`a script said: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => void seen.push(`a script failed: ${error.message}`));
  page.on('console', (message) => void seen.push(`the console says: ${message.text()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) seen.push(`it asked for ${request.url()}`);
  });
  return seen;
}

/** Opens the list and every mail. */
async function look(browser: Browser, url: string, name: string, options: BrowserContextOptions): Promise<string[]> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const seen = watch(page, new URL(url).origin);
  const check = async () => {
    const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth').catch(() => 0);
    if (Number(width) > 0) seen.push(`${page.url()} is ${width} pixels too wide`);
    if (page.url().includes('token')) seen.push('the token stays in the address');
  };
  await page.goto(url);
  await check();
  const mails = await page
    .locator('tbody a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  if (mails.length !== PAYLOADS.length) seen.push(`${mails.length} mails are listed, not ${PAYLOADS.length}`);
  for (const mail of mails) {
    await page.goto(new URL(mail, url).href);
    await check();
  }
  await context.close();
  print(`${name}: ${mails.length + 1} pages, ${seen.length} problems`);
  return seen;
}

/** Whether a page that does all of it is seen to do so: else nothing that was not seen counts. */
async function blindness(browser: Browser): Promise<string[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const seen = watch(page, 'http://127.0.0.1:1');
  const body = '<script>alert(1); console.log(2); throw new Error("3")</script><img src="/x">';
  await context.route(`${EVIL}/*`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${EVIL}/`);
  await context.close();
  const kinds = ['a script said', 'a script failed', 'the console says', 'it asked for http://evil.invalid/x'];
  return kinds.filter((kind) => !seen.some((text) => text.startsWith(kind))).map((kind) => `blind: never "${kind}"`);
}

/** A page of another place sends a form of ours, and puts the desk into a frame. */
async function attack(browser: Browser, url: string): Promise<string[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  const mail = new URL((await page.locator('tbody a').first().getAttribute('href')) ?? '', url).href;
  const fields = '<input name="why" value="x"><input name="attempt" value="1">';
  const body = `<iframe src="${mail}"></iframe><form method="post" action="${mail}/delete">${fields}<button>x</button></form>`;
  await context.route(`${EVIL}/*`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${EVIL}/`);
  const framed = await page.frames()[1]?.locator('main').count();
  const [answer] = await Promise.all([page.waitForResponse(`${mail}/delete`), page.locator('button').click()]);
  await page.goto(mail);
  const isHeld = (await page.locator('.state').first().getAttribute('class'))?.includes('quarantined') ?? false;
  await context.close();
  print(`a page of another place: frame ${framed === 0 ? 'empty' : 'FILLED'}, form answered with ${answer.status()}`);
  return framed === 0 && answer.status() === 403 && isHeld ? [] : ['a page of another place got through'];
}

/** A person releases a mail by hand, without scripts. */
async function release(browser: Browser, url: string): Promise<string[]> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('tbody a').first().click();
  await page.locator('form[action$="/release"] input[name=why]').fill('the sender called');
  await page.locator('form[action$="/release"] button').click();
  const said = (await page.locator('h1').textContent()) ?? '';
  await context.close();
  print(`a release by hand: ${said}`);
  return said.includes('pat (the sender called) released') ? [] : ['a person could not release'];
}

async function tryDesk(folder: string, browser: Browser): Promise<string[]> {
  const out = join(folder, 'out');
  for (const [number, payload] of PAYLOADS.entries()) {
    const files = [{ name: `${payload.replace(/["\\\0]/g, '')}.com`, bytes: EICAR }];
    await writeFile(join(folder, `${number}.eml`), emailWith({ subject: payload, text: payload, files }));
  }
  await airlock(['scan', '--quiet', '--out', out, folder]);
  const [stdout, stop] = [new PassThrough({ encoding: 'utf8' }), new AbortController()];
  const console = { stdout, stderr: new PassThrough(), env: {}, signal: stop.signal };
  const ended = runCli(['desk', '--out', out, '--as', 'pat', '--role', 'admin'], console);
  const [line] = await once(stdout, 'data');
  const url =
    String(line)
      .replace(/^desk +/, '')
      .split('\n')[0] ?? '';
  try {
    const problems = await blindness(browser);
    for (const [name, options] of LOOKS) problems.push(...(await look(browser, url, name, options)));
    return [...problems, ...(await attack(browser, url)), ...(await release(browser, url))];
  } finally {
    stop.abort();
    await ended;
  }
}

async function main(): Promise<number> {
  const missing = missingOf(['chromium']);
  if (missing !== null) {
    print(`SKIPPED: the desk is not opened by Chromium: ${missing}`);
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), 'airlock-check-desk-'));
  const executablePath = programPath('chromium') ?? '';
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-gpu'] });
  try {
    const problems = await tryDesk(folder, browser);
    for (const problem of problems) print(`  ${problem}`);
    return problems.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
}

process.exitCode = await main();
