/** The desk of a deployment in Chromium: its pages over hostile mail, and what only it does otherwise: a file that is dropped, a policy that is tried, a view that is saved. */
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { type CloudDesk, openCloudDesk, URL_OF_DESK } from '../desk/cloud-desk-rig.ts';
import { PAYLOADS } from '../desk/payloads.ts';
import { emailWith } from '../pipeline/rig.ts';
import { faultsOf, watch } from './desk-look.ts';
import { follow, headingOf } from './desk-steps.ts';

const PATHS = ['/mails', '/mails?state=', '/overview', '/asks', '/recall', '/blocks', '/audit', '/policy', '/drop'];
/** Hostile mails that are opened: elements of one are those of every other. */
const MAILS = 3;
/** A PDF of one empty page. */
const PDF = [
  '%PDF-1.4',
  '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
  '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]>>endobj',
  'trailer<</Root 1 0 R>>',
  '%%EOF',
].join('\n');
const LOOKS: readonly { readonly name: string; readonly options: BrowserContextOptions; readonly isRead: boolean }[] = [
  { name: 'the desk on AWS', options: {}, isRead: false },
  {
    name: 'the desk on AWS, without scripts, in German',
    options: { javaScriptEnabled: false, locale: 'de-DE' },
    isRead: false,
  },
  { name: 'the desk on AWS, read by axe-core', options: {}, isRead: true },
  {
    name: 'the desk on AWS, read by axe-core on a phone',
    options: { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
    isRead: true,
  },
];

/** Opens all of it. Returns what does not hold. */
export async function tryCloudDesk(browser: Browser): Promise<string[]> {
  const ends: (() => void)[] = [];
  const desk = await openCloudDesk(undefined, { until: (end) => void ends.push(end) });
  try {
    const mails: string[] = [];
    for (const payload of PAYLOADS) mails.push(await desk.scan(emailWith({ subject: payload, text: payload })));
    const paths = [...PATHS, ...mails.slice(0, MAILS).map((runId) => `/mails/${runId}`)];
    const problems: string[] = [];
    for (const look of LOOKS) problems.push(...(await lookAt(browser, desk, paths, look)));
    problems.push(...(await work(browser, desk)));
    problems.push(...(await decideThere(browser, desk)));
    return [...problems, ...desk.failures.map(String)];
  } finally {
    for (const end of ends) end();
  }
}

async function lookAt(
  browser: Browser,
  desk: CloudDesk,
  paths: readonly string[],
  { name, options, isRead }: (typeof LOOKS)[number],
): Promise<string[]> {
  const { page, seen, close } = await signedIn(browser, desk, { options, isRead });
  for (const path of paths) {
    const answer = await page.goto(`${URL_OF_DESK}${path}`);
    if (answer?.status() !== 200) seen.push(`${path} answers ${answer?.status()}`);
    seen.push(...(await faultsOf(page, isRead)));
  }
  await close();
  process.stdout.write(`${name}: ${paths.length} pages, ${seen.length} problems\n`);
  return seen;
}

/** A person drops a hostile mail and follows it, tries a policy, and saves a view. */
async function work(browser: Browser, desk: CloudDesk): Promise<string[]> {
  const { page, seen, close } = await signedIn(browser, desk, { options: {}, isRead: false });
  await page.goto(`${URL_OF_DESK}/drop`);
  const text = PAYLOADS.filter((payload) => /^[ -~]*$/.test(payload)).join(' ');
  const buffer = Buffer.from(emailWith({ subject: 'Dropped', text }));
  await page.locator('input[type=file]').setInputFiles({ name: 'dropped.eml', mimeType: 'message/rfc822', buffer });
  await follow(page, 'section button');
  await page.waitForURL(/\/drops\//);
  const before = await headingOf(page);
  const [key = ''] = desk.rig.blobs.list('intake').filter((name) => name.startsWith('dropped/'));
  const bytes = await desk.rig.blobs.get('intake', key, { maxBytes: buffer.length });
  await desk.rig.scan(bytes, key, { dropped: true });
  await page.reload();
  const after = await headingOf(page);
  await page.goto(`${URL_OF_DESK}/policy`);
  await follow(page, 'section button');
  const tried = await page.locator('td').first().textContent();
  await page.goto(`${URL_OF_DESK}/mails`);
  await page.locator('summary').first().click();
  await page.locator('input[name=name]').first().fill('Held today');
  await follow(page, 'details button');
  await page.goto(`${URL_OF_DESK}/mails`);
  const saved = await page.getByText('Held today').count();
  await close();
  process.stdout.write(`dropped on AWS: ${before}; then: ${after}; ${tried} mails tried; ${saved} view saved\n`);
  const holds =
    before === 'Under way' && after.startsWith('dropped.eml: ') && tried === String(PAYLOADS.length) && saved > 0;
  return holds ? seen : [...seen, 'what a person does at the desk on AWS does not hold'];
}

/** A person looks at a part of held mail, takes the original out, releases it, and deletes another one. */
async function decideThere(browser: Browser, desk: CloudDesk): Promise<string[]> {
  const { page, seen, close } = await signedIn(browser, desk, { options: {}, isRead: false });
  const files = [{ name: 'terms.pdf', bytes: PDF }];
  const held = (subject: string) => desk.scan(emailWith({ subject, files }));
  const [released, deleted] = [await held('Terms'), await held('Old terms')];
  await page.goto(`${URL_OF_DESK}/mails/${released}`);
  await follow(page, '.tree li:has(> code):has-text("terms.pdf") a');
  const drawn = await page.locator('.sides img').count();
  await page.goto(`${URL_OF_DESK}/mails/${released}`);
  const saved = page.waitForEvent('download');
  const original = page.locator('details:has(form[action$="/original.zip"])');
  await original.locator('summary').click();
  await original.locator('input[name=why]').fill('to look at it in the lab');
  await original.locator('button').click();
  const name = (await saved).suggestedFilename();
  const said: string[] = [];
  for (const [runId, decision] of [
    [released, 'release'],
    [deleted, 'delete'],
  ] as const) {
    await page.goto(`${URL_OF_DESK}/mails/${runId}`);
    await page.locator(`form[action$="/${decision}"] input[name=why]`).fill(`to ${decision} it`);
    await follow(page, `form[action$="/${decision}"] button`);
    await page.waitForURL(`${URL_OF_DESK}/mails/${runId}`);
    await desk.settle();
    await page.reload();
    said.push(await headingOf(page));
  }
  await close();
  process.stdout.write(`decided on AWS: ${drawn} pictures of a part; ${name} saved; ${said.join(' / ')}\n`);
  const holds =
    drawn > 0 &&
    name === `${released}.zip` &&
    said[0]?.includes('(to release it) released what was rebuilt') &&
    said[1]?.includes('(to delete it) deleted it');
  return holds ? seen : [...seen, 'what a person decides at the desk on AWS does not hold'];
}

/** A page of somebody who has signed in. The desk answers in place of the network, and nobody else does. */
type Look = Omit<(typeof LOOKS)[number], 'name'>;

async function signedIn(browser: Browser, desk: CloudDesk, { options, isRead }: Look) {
  const context = await browser.newContext(options);
  const token = await desk.issuer.token();
  const cookie = desk.cookie(token);
  await context.route('**', (route) => answerTo(route, desk, cookie, isRead));
  const page: Page = await context.newPage();
  return { page, seen: watch(page, [URL_OF_DESK]), close: () => context.close() };
}

async function answerTo(route: Route, desk: CloudDesk, cookie: Record<string, string>, isRead: boolean): Promise<void> {
  const request = route.request();
  const { origin, pathname, search } = new URL(request.url());
  if (origin !== URL_OF_DESK) return route.abort();
  const all = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':') && name !== 'host');
  const body = request.postDataBuffer();
  const sent = body === null ? {} : { body: body.toString('latin1') };
  const length = body === null ? {} : { 'content-length': String(body.length) };
  const headers = { 'sec-fetch-site': 'same-origin', ...Object.fromEntries(all), ...length, ...cookie };
  const answer = await desk.send(pathname + search, { method: request.method(), headers, ...sent });
  const given: Record<string, string> = { ...answer.headers };
  // axe-core is a script, and a page that is answered from here is not sent elsewhere by a status.
  if (isRead) delete given['content-security-policy'];
  if (answer.status === 303) {
    const contentType = 'text/html';
    return route.fulfill({ contentType, body: `<meta http-equiv="refresh" content="0;url=${given.location}">` });
  }
  await route.fulfill({ status: answer.status, headers: given, body: Buffer.from(answer.bytes) });
}
