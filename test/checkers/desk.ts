/**
 * `npm run check:desk`: the real Chromium opens every page of the desk and of a recipient on hostile mail, with and without scripts, on a phone,
 * in the dark and on paper, and axe-core reads each; so it does with the desk on AWS. Nothing of a mail may run, load or lead elsewhere; a page of another place can neither decide
 * nor frame it. Then what people do is clicked through on a desk with 10,000 runs, and pictures of it are compared with those in docs/pictures.
 * `--keep` writes those anew, `--pictures DIR` keeps a picture of each page of today, `--stories` leaves the hostile mail out. Exit codes: 0 everything
 * holds, or skipped because Chromium or poppler is not there (it says so); 1 something does not hold.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { PAYLOADS } from '../desk/payloads.ts';
import { emailWith } from '../pipeline/rig.ts';
import { tryCloudDesk } from './desk-cloud.ts';
import { LOOKS, look, watch } from './desk-look.ts';
import { openOffice } from './desk-office.ts';
import { paper } from './desk-paper.ts';
import { createPictures, type Pictures } from './desk-pictures.ts';
import { openSite, type Site } from './desk-site.ts';
import { follow, headingOf, untilItEnds } from './desk-steps.ts';
import { clickThrough } from './desk-stories.ts';
import { missingOf, programPath } from './tools.ts';

const EVIL = 'http://evil.invalid';

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
  const said = await headingOf(page);
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

/** The desk of an office: every story, and its mail on paper. */
async function tryOffice(folder: string, browser: Browser, pictures: Pictures): Promise<string[]> {
  const office = await openOffice(folder);
  try {
    const onPaper = await paper(browser, office.pat, folder);
    return [...onPaper, ...(await clickThrough(browser, office, pictures))];
  } finally {
    await office.close();
  }
}

/** Hostile mail: every page, as every kind of reader has it. */
async function tryDesk(folder: string, browser: Browser, pictures: string | null): Promise<string[]> {
  const site = await openSite(folder);
  try {
    const problems = await blindness(browser);
    for (const each of LOOKS) problems.push(...(await look(browser, site, each, pictures)));
    problems.push(...(await attack(browser, site.url)), ...(await sides(browser, site)));
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
  const options = { pictures: { type: 'string' }, keep: { type: 'boolean' }, stories: { type: 'boolean' } } as const;
  const { pictures = null, keep = false, stories = false } = parseArgs({ options }).values;
  if (pictures !== null) await mkdir(pictures, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'airlock-check-desk-'));
  const executablePath = programPath('chromium') ?? '';
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-gpu'] });
  try {
    const hostile = stories ? [] : [...(await tryDesk(folder, browser, pictures)), ...(await tryCloudDesk(browser))];
    const problems = [...hostile, ...(await tryOffice(folder, browser, createPictures({ keep, seen: pictures })))];
    for (const problem of problems) print(`  ${problem}`);
    return problems.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
}

process.exitCode = await main();
