/** The page of an ordinary mail on paper, also as a file with its pictures: two pages, nothing cut off, no forms and no navigation, and every link readable. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { CONNECTIONS } from './desk-look.ts';
import { MAILS } from './desk-office.ts';
import { follow } from './desk-steps.ts';
import { runTool } from './tools.ts';

const TOOL_MS = 60_000;
const MAX_PAGES = 2;
/** A page with less than this is as good as empty. */
const LEAST_CHARS = 200;
/** Words of pages on a screen alone. */
const NOT_ON_PAPER = [
  'Analyse a file',
  'Saved views',
  'Why (is signed',
  'Release as rebuilt',
  'Original as a zip',
  'Look at it',
  'Block',
];

/** Prints the page of the mail, and the same page as a file, as a browser does, and says what is not right. */
export async function paper(browser: Browser, url: string, folder: string): Promise<string[]> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  await page.goto(new URL(`/mails?state=&words=${encodeURIComponent(MAILS.macro)}`, url).href);
  await follow(page, 'tbody a');
  const onDesk = await printed(page, join(folder, 'mail.pdf'), 'an ordinary mail');
  const file = join(folder, 'mail.html');
  const answer = await context.request.get(`${page.url()}/report.html`, { maxRetries: CONNECTIONS });
  await writeFile(file, await answer.body());
  await page.goto(pathToFileURL(file).href);
  const pictures = await page.locator('img').evaluateAll((all) => all.map((each) => Reflect.get(each, 'naturalWidth')));
  const areShown = pictures.length > 0 && pictures.every((width) => Number(width) > 0);
  const asFile = await printed(page, join(folder, 'file.pdf'), 'its page as a file');
  await context.close();
  return [
    ...onDesk,
    ...asFile,
    ...(areShown ? [] : [`the page as a file shows pictures of these widths: ${pictures.join(', ') || 'none'}`]),
  ];
}

/** Prints an open page into a file, and says what is not right. */
async function printed(page: Page, path: string, what: string): Promise<string[]> {
  await writeFile(path, await page.pdf({ format: 'A4', preferCSSPageSize: true }));
  const shown = 'main > section:not(.acts)';
  const cells = await page.locator(`h1, ${shown} h2, ${shown} td, ${shown} p > code`).allInnerTexts();
  const { output } = await runTool('pdftotext', [path, '-'], TOOL_MS);
  const boxes = (await runTool('pdftotext', ['-bbox', path, '-'], TOOL_MS)).output;
  const pages = output.split('\f').slice(0, -1);
  process.stdout.write(`on paper: ${what} takes ${pages.length} pages\n`);
  const missing = charactersMissing(cells.join(' '), output);
  return [
    ...(pages.length > MAX_PAGES ? [`on paper ${what} takes ${pages.length} pages`] : []),
    ...pages.flatMap((text, at) =>
      text.trim().length < LEAST_CHARS ? [`page ${at + 1} of ${what} on paper is nearly empty`] : [],
    ),
    ...NOT_ON_PAPER.filter((word) => output.includes(word)).map((word) => `on paper of ${what} stands "${word}"`),
    ...overTheEdge(boxes),
    ...(missing === '' ? [] : [`cut off on paper of ${what}: so many of these characters are not there: ${missing}`]),
  ];
}

/** Lines break elsewhere on paper, and columns are read in another order, so characters are counted. Such as `h 3, t 2`. */
function charactersMissing(wanted: string, printed: string): string {
  const counts = new Map<string, number>();
  for (const character of wanted.replace(/\s+/g, '')) counts.set(character, (counts.get(character) ?? 0) + 1);
  for (const character of printed) counts.set(character, (counts.get(character) ?? 0) - 1);
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([character, count]) => `${character} ${count}`)
    .join(', ');
}

/** Words that begin or end outside of their page. */
function overTheEdge(boxes: string): string[] {
  const width = Number(/<page width="([\d.]+)"/.exec(boxes)?.[1] ?? 0);
  const words = [...boxes.matchAll(/<word xMin="([\d.-]+)"[^>]*xMax="([\d.]+)"[^>]*>([^<]*)/g)];
  const cut = words.filter(([, from, to]) => Number(from) < 0 || Number(to) > width);
  return words.length === 0 || cut.length > 0
    ? [
        `cut off on paper: ${cut
          .map(([, , , word]) => word)
          .slice(0, 5)
          .join(' ')}`,
      ]
    : [];
}
