/**
 * `npm run pictures`: draws the pictures of the README anew, from a real scan and a real report, with the real Chromium. Says what to
 * install when Chromium is not there.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { inputsOf } from '../../lib/local/input/input.ts';
import type { Outcome } from '../../lib/local/outcome.ts';
import { startLocalService } from '../../lib/local/session/local-service.ts';
import { openSession } from '../../lib/local/session/session.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';
import { AnalysisClient } from '../../lib/service/client/client.ts';
import { missingOf, programPath } from './tools.ts';

const MAIL = 'test/fixtures/emails/invoice-with-macro.eml';
const FOLDER = join(import.meta.dirname, '../../docs/pictures');
/** Every host is unknown: a picture of hostile mail must not ask anybody for anything. */
const FLAGS = ['--host-resolver-rules=MAP * ~NOTFOUND', '--disable-gpu', '--disable-background-networking'];
const MAX_REPORT_BYTES = 1024 * 1024;

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const textOf = (element: string, inner: string) => `<${element}>${escaped(inner)}</${element}>`;

/** The mail as a mail program shows it. Its page is framed without the right to run anything. */
function paneOf(heading: string, mail: Email, notes: readonly string[]): string {
  const files = mail.attachments.filter(({ disposition }) => disposition === 'attachment');
  const names = files.map(({ filename }) => textOf('li', filename ?? '')).join('');
  return `<section><h2>${heading}</h2><div class="mail">
    <h3>${escaped(mail.subject ?? '')}</h3><p class="from">${escaped(mail.from?.address ?? '')}</p>
    <iframe sandbox srcdoc="${escaped(withPictures(mail))}"></iframe><ul class="files">${names}</ul></div>
    <ul class="notes">${notes.map((note) => textOf('li', note)).join('')}</ul></section>`;
}

/** The page with the pictures that came with it, as a mail program puts them in, and with the target of each link in sight. */
function withPictures({ html = '', attachments }: Email): string {
  return `${html}<style>${TARGETS}</style>`.replace(/cid:([^"]+)/g, (address, id: string) => {
    const picture = attachments.find(({ contentId }) => contentId === `<${id}>`);
    return picture === undefined ? address : `data:${picture.mimeType};base64,${base64(picture)}`;
  });
}

function base64({ content }: Attachment): string {
  if (typeof content === 'string') return content;
  return Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content).toString('base64');
}

const TARGETS = 'a::after { content: " -> " attr(href); font: 12px monospace; color: #8a3b00 }';
const STYLE = `body { font: 15px/1.45 sans-serif; margin: 20px; width: 1000px; display: flex; gap: 20px; color: #1c2530 }
  section { flex: 1; min-width: 0 } h2 { font-size: 17px; margin: 0 0 8px } h3 { margin: 0; font-size: 16px }
  .mail { border: 1px solid #b8c2cc; border-radius: 6px; padding: 14px } .from { margin: 0 0 8px; color: #5b6875 }
  iframe { border: 0; width: 100%; height: 290px } .files { list-style: none; margin: 0; padding: 0; display: flex; gap: 8px }
  .files li { background: #eef1f4; border-radius: 4px; padding: 4px 10px } .notes { padding-left: 20px; margin: 12px 0 0 }`;

async function drawMail(browser: Browser, ledger: Ledger, cleanPath: string): Promise<void> {
  const before = await PostalMime.parse(await readFile(MAIL));
  const after = await PostalMime.parse(await readFile(cleanPath));
  const found = ledger.artifacts.flatMap(({ submissions }) => submissions.flatMap((each) => each.untrustedReasons));
  const taken = ledger.artifacts.flatMap(({ reasons }) => reasons.filter((each) => /^(?:removed|made un)/.test(each)));
  const body = `${paneOf('Before', before, findingNames(found))}${paneOf('After', after, unique(taken))}`;
  await draw(
    browser,
    `<!doctype html><meta charset="utf-8"><style>${STYLE}</style>${body}`,
    'before-and-after.png',
    640,
  );
}

const unique = (texts: readonly string[]) => [...new Set(texts)];
const findingNames = (reasons: readonly string[]) => unique(reasons.map((reason) => reason.split(':')[0] ?? ''));

/** The report of the attachment, as `airlock api report --html` writes it. */
async function drawReport(browser: Browser, file: Attachment): Promise<void> {
  const service = await startLocalService(0);
  try {
    const client = new AnalysisClient({ baseUrl: service.url, apiKey: service.apiKey });
    const bytes = Buffer.from(base64(file), 'base64');
    const { uuid } = await client.createStaticSubmission({ bytes, filename: file.filename ?? 'file' });
    await client.waitForCompletion(uuid);
    const page = await (await client.downloadHtmlReport(uuid)).buffer(MAX_REPORT_BYTES);
    await draw(browser, Buffer.from(page).toString('utf8'), 'report.png', 1114);
  } finally {
    await service.close();
  }
}

async function draw(browser: Browser, html: string, name: string, maxHeight: number): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1040, height: maxHeight } });
  await page.setContent(html);
  const height = Math.min(maxHeight, Number(await page.evaluate('document.documentElement.scrollHeight')));
  await page.setViewportSize({ width: 1040, height });
  await writeFile(join(FOLDER, name), await page.screenshot());
  await page.close();
  console.log(`docs/pictures/${name}`);
}

async function scanned(out: string): Promise<Outcome> {
  const session = await openSession({
    out,
    policy: DEFAULT_POLICY,
    service: null,
    cdrService: null,
    signal: new AbortController().signal,
    onStage: () => {},
  });
  try {
    for await (const input of inputsOf([MAIL])) return await session.scan(input);
    throw new Error(`${MAIL} is not there`);
  } finally {
    await session.close();
  }
}

async function main(): Promise<void> {
  const missing = missingOf(['chromium']);
  if (missing !== null) throw new Error(missing);
  const out = await mkdtemp(join(tmpdir(), 'airlock-pictures-'));
  const browser = await chromium.launch({
    executablePath: programPath('chromium') ?? '',
    args: FLAGS,
    chromiumSandbox: false,
  });
  try {
    const outcome = await scanned(out);
    if (outcome.state !== 'delivered' || outcome.written.message === null) throw new Error(`it was ${outcome.state}`);
    await drawMail(browser, outcome.ledger, outcome.written.message);
    const { attachments } = await PostalMime.parse(await readFile(MAIL));
    const file = attachments.find(({ filename }) => filename?.endsWith('.docm'));
    if (file === undefined) throw new Error(`${MAIL} has no document`);
    await drawReport(browser, file);
  } finally {
    await browser.close();
    await rm(out, { recursive: true });
  }
}

await main();
