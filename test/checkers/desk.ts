/**
 * `npm run check:desk`: the real Chromium opens every page of the desk and of a recipient on hostile mail, with and without scripts, on a phone,
 * in the dark and on paper, and axe-core reads each. Nothing of a mail may run, load or lead elsewhere; a page of another place can neither decide
 * nor frame it; a person can release, and drop a mail and see its stages. `--pictures DIR` keeps a picture of each page. Exit codes: 0 everything holds, or skipped because Chromium or
 * poppler is not there (it says so); 1 something does not hold.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PAYLOADS } from '../desk/payloads.ts';
import { emailWith } from '../pipeline/rig.ts';
import { LOOKS, look, watch } from './desk-look.ts';
import { openSite, type Site } from './desk-site.ts';
import { missingOf, programPath, runTool } from './tools.ts';

const EVIL = 'http://evil.invalid';
const STAGES_MS = 120_000;
const [TOOL_MS, LEAST_CHARS, MOST_PAGES] = [60_000, 40, 4];

const print = (text: string) => process.stdout.write(`${text}\n`);

/** Whether a page that does all of it is seen to do so: else nothing that was not seen counts. */
async function blindness(browser: Browser): Promise<string[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const seen = watch(page, ['http://127.0.0.1:1']);
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

/** Clicks on the first of them, and resolves when the page behind it is whole: a page that has only begun has no text yet. */
async function follow(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.locator(selector).first().click()]);
}

/** A person releases a mail by hand, without scripts. */
async function release(browser: Browser, url: string): Promise<string[]> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  await follow(page, 'tbody a');
  await page.locator('form[action$="/release"] input[name=why]').fill('the sender called');
  await follow(page, 'form[action$="/release"] button');
  const said = (await page.locator('h1').textContent()) ?? '';
  await context.close();
  print(`a release by hand: ${said}`);
  return said.includes('pat (the sender called) released') ? [] : ['a person could not release'];
}

/** A person deletes two mails at once, without scripts. */
async function several(browser: Browser, url: string): Promise<string[]> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  for (const at of [1, 2]) await page.locator('input[name=run]').nth(at).check();
  await page.locator('.selected input[name=why]').fill('nobody wants them');
  await follow(page, 'button[value=delete]');
  const said = (await page.locator('h1').textContent()) ?? '';
  await context.close();
  print(`two deleted at once: ${said}`);
  return said.startsWith('2 of 2') ? [] : ['a person could not delete two mails at once'];
}

/** A person drops a hostile mail and sees its stages: live, or without scripts by a page that loads itself again. */
async function drop(browser: Browser, url: string, javaScriptEnabled: boolean): Promise<string[]> {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  const seen = watch(page, [new URL(url).origin]);
  await page.goto(url);
  await page.goto(new URL('/drop', url).href);
  const text = PAYLOADS.join(' ').replaceAll('\0', '');
  const buffer = Buffer.from(emailWith({ subject: text, text, files: [{ name: 'a.txt', bytes: text }] }));
  const name = `${PAYLOADS[0]?.replaceAll('/', '')} ${javaScriptEnabled}.eml`;
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'message/rfc822', buffer });
  await follow(page, 'section button');
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await untilItEnds(page);
  const loadsUntilItsEnd = loads;
  // From here on playwright runs scripts of its own in a page that forbids them, and the console says so.
  const problems = [...seen];
  const stages = await page.locator('ol.stages > .done b').allTextContents();
  await follow(page, '.pages a[href^="/mails/"]');
  const said = (await page.locator('h1').textContent()) ?? '';
  await context.close();
  print(
    `dropped ${javaScriptEnabled ? 'with' : 'without'} scripts: ${stages.length} stages, loaded again ${loadsUntilItsEnd} times: ${said}`,
  );
  // Live, the page is loaded again once, at the end.
  const isLive = !javaScriptEnabled || loadsUntilItsEnd <= 1;
  return [
    ...problems,
    ...(stages.length >= 6 && isLive && said !== '' ? [] : ['a dropped mail did not show its stages']),
  ];
}

/** A person looks at a part: two pictures drawn by the desk, or two texts in frames of their own. */
async function sides(browser: Browser, { url, paths }: Site): Promise<string[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  const types: string[] = [];
  page.on('response', (answer) => void types.push(answer.headers()['content-type'] ?? ''));
  const [text = '', , , pdf = ''] = paths.filter((path) => path.includes('/parts/'));
  await page.goto(new URL(pdf, url).href);
  const pictures = types.filter((type) => type === 'image/png').length;
  await page.goto(new URL(text, url).href);
  const texts = await Promise.all(
    page
      .frames()
      .slice(1)
      .map((frame) => frame.content()),
  );
  await context.close();
  const isOther = new Set(texts.map((each) => each.includes('Dear Bob') && each.includes('was changed'))).size === 2;
  print(`side by side: ${pictures} pictures of a PDF, ${texts.length} texts of a body`);
  return pictures === 2 && texts.length === 2 && isOther ? [] : ['a part is not shown side by side'];
}

/** A person saves a view and follows it, without scripts. */
async function saveView(browser: Browser, url: string): Promise<string[]> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  await page.goto(new URL('/mails?state=delivered', url).href);
  await page.locator('summary').first().click();
  await page.locator('form[action="/views/save"] input[name=name]').fill('What went out');
  await follow(page, 'form[action="/views/save"] button');
  await page.goto(new URL('/mails', url).href);
  await follow(page, 'a:text-is("What went out")');
  const address = page.url();
  await context.close();
  print(`a saved view leads to ${new URL(address).search}`);
  return address.endsWith('/mails?state=delivered') ? [] : ['a saved view does not lead to its list'];
}

/** Looks at each page that is loaded. Waiting for an element would run scripts in a page that forbids them. */
async function untilItEnds(page: Page): Promise<void> {
  for (;;) {
    const next = page.waitForEvent('load', { timeout: STAGES_MS });
    next.catch(() => {});
    if ((await page.content()).includes('Open the mail')) return;
    await next;
  }
}

/** The page of a mail on paper: more than one page only when it has the text for it, and none of it empty. */
async function paper(browser: Browser, url: string, folder: string): Promise<string[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await follow(page, 'tbody a');
  const path = join(folder, 'mail.pdf');
  await writeFile(path, await page.pdf({ format: 'A4', preferCSSPageSize: true }));
  await context.close();
  const { output } = await runTool('pdftotext', ['-layout', path, '-'], TOOL_MS);
  const pages = output.split('\f').slice(0, -1);
  print(`on paper: ${pages.length} pages`);
  const empty = pages.filter((text) => text.trim().length < LEAST_CHARS).length;
  return pages.length > 0 && pages.length <= MOST_PAGES && empty === 0 && !output.includes('Release as rebuilt')
    ? []
    : [`on paper a mail has ${pages.length} pages, ${empty} of them nearly empty, or its forms are on it`];
}

async function tryDesk(folder: string, browser: Browser, pictures: string | null): Promise<string[]> {
  const site = await openSite(folder);
  try {
    const problems = await blindness(browser);
    for (const each of LOOKS) problems.push(...(await look(browser, site, each, pictures)));
    problems.push(...(await attack(browser, site.url)), ...(await paper(browser, site.url, folder)));
    problems.push(...(await sides(browser, site)), ...(await saveView(browser, site.url)));
    problems.push(...(await several(browser, site.url)), ...(await release(browser, site.url)));
    for (const hasScripts of [true, false]) problems.push(...(await drop(browser, site.url, hasScripts)));
    return problems;
  } finally {
    await site.close();
  }
}

async function main(): Promise<number> {
  const missing = missingOf(['chromium', 'pdftotext']);
  if (missing !== null) {
    print(`SKIPPED: the desk is not opened by Chromium: ${missing}`);
    return 0;
  }
  const { pictures = null } = parseArgs({ options: { pictures: { type: 'string' } } }).values;
  if (pictures !== null) await mkdir(pictures, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'airlock-check-desk-'));
  const executablePath = programPath('chromium') ?? '';
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-gpu'] });
  try {
    const problems = await tryDesk(folder, browser, pictures);
    for (const problem of problems) print(`  ${problem}`);
    return problems.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
}

process.exitCode = await main();
