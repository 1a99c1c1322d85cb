/** The real Chromium without a window: opens pages, reaches no host, and tells what each page did and would do. */
import { readFileSync } from 'node:fs';
import { type BrowserContext, type CDPSession, chromium, type Page, type Route } from 'playwright-core';
import { programPath } from './tools.ts';

const PROBE = readFileSync(new URL('page-probe.js', import.meta.url), 'utf8');
/** Where pages are served from: plain http, as a page behind TLS may ask for less. */
const PLACE = 'http://page.invalid/';
const OPEN_MS = 15_000;
/** Every host is unknown, were something to slip by the interception. */
const FLAGS = ['--host-resolver-rules=MAP * ~NOTFOUND', '--disable-gpu', '--disable-background-networking'];
const PICTURE = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

interface Probed {
  /** Where the page leads to or loads from, as the browser itself completes it. */
  readonly addresses: readonly { readonly where: string; readonly url: string }[];
  /** What would act without an address: handlers, redirections, frames, closed trees. */
  readonly active: readonly string[];
  readonly text: string;
}

/** What a page did while it was opened, and what it would do when somebody clicks. */
export interface Sighting extends Probed {
  /** The address that the page was opened under. */
  readonly place: string;
  /** Scripts of the page that the browser compiled, and what they did that can be seen. */
  readonly ran: readonly string[];
  /** What the page asked for beside itself. */
  readonly requests: readonly { readonly kind: string; readonly url: string }[];
  /** What the console says, but for the pictures of the message, which a mail program has. */
  readonly errors: readonly string[];
}

export interface PageBrowser {
  /** Opens a page with the Content-Type that a server would send with it. Throws when the browser itself fails. */
  look(bytes: Buffer, contentType: string): Promise<Sighting>;
  close(): Promise<void>;
}

/** Starts one browser for many pages, which it opens one after the other. */
export async function openBrowser(): Promise<PageBrowser> {
  const browser = await chromium.launch({
    executablePath: programPath('chromium') ?? '',
    args: FLAGS,
    chromiumSandbox: false,
  });
  const context = await browser.newContext({ acceptDownloads: false, serviceWorkers: 'block' });
  let count = 0;
  let tab: Tab | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const lookInTurn = async (bytes: Buffer, contentType: string): Promise<Sighting> => {
    tab ??= await openTab(context);
    const sighting = await look(tab, { bytes, contentType, place: `${PLACE}${++count}` });
    // What a page has started must not be taken for the deed of the next one. A window costs more than all else.
    if (sighting.ran.length + sighting.active.length + sighting.requests.length > 0) {
      await tab.page.close();
      tab = null;
    }
    return sighting;
  };
  return {
    look(bytes, contentType) {
      const sighting = last.then(() => lookInTurn(bytes, contentType));
      last = sighting.catch(() => undefined);
      return sighting;
    },
    close: () => browser.close(),
  };
}

interface Served {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly place: string;
}

interface Seen {
  readonly ran: string[];
  readonly requests: { kind: string; url: string }[];
  readonly errors: string[];
}

/** A window of the browser, with what is served to it and what is seen in it now. */
interface Tab {
  readonly page: Page;
  readonly session: CDPSession;
  /** Null when the page has been served: a second question for it is one too many. */
  served: Served | null;
  seen: Seen;
}

async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const tab: Tab = { page, session, served: null, seen: { ran: [], requests: [], errors: [] } };
  watch(tab);
  session.on('Debugger.scriptParsed', ({ url, startLine }) => {
    // A script is compiled before it runs, whatever it does then; those of the tool have no address.
    if (url !== '') tab.seen.ran.push(`script at line ${startLine + 1}`);
  });
  await session.send('Debugger.enable');
  await page.route('**', (route) => answer(route, tab));
  return tab;
}

async function look(tab: Tab, served: Served): Promise<Sighting> {
  const seen: Seen = { ran: [], requests: [], errors: [] };
  Object.assign(tab, { served, seen });
  const { page, session } = tab;
  const { place } = served;
  await page
    .goto(place, { waitUntil: 'load', timeout: OPEN_MS })
    .catch((error: unknown) => seen.ran.push(`leaves its place: ${String(error).split('\n')[0]}`));
  const hasLeft = page.url() !== place || seen.requests.some(({ kind }) => kind === 'navigation');
  if (hasLeft) return { ...seen, ...NOTHING, place };
  const closed = await closedTrees(session);
  const probed = await page.evaluate<Probed>(PROBE).catch((error: unknown) => {
    // It moved on while it was looked at. Any other error is one of the browser.
    if (!String(error).includes('context was destroyed')) throw error;
    seen.ran.push('leaves its place while it is looked at');
    return NOTHING;
  });
  return { ...seen, ...probed, active: [...probed.active, ...closed], place };
}

const NOTHING: Probed = { addresses: [], active: [], text: '' };

/** The page itself, and an empty picture or sheet for each that it shows; nothing else comes. */
async function answer(route: Route, tab: Tab): Promise<void> {
  const request = route.request();
  const url = request.url();
  const { served, seen } = tab;
  if (served !== null && url === served.place) {
    tab.served = null;
    return route.fulfill({ body: served.bytes, headers: { 'content-type': served.contentType } });
  }
  const kind = request.isNavigationRequest() ? 'navigation' : request.resourceType();
  // The browser's own question, not the page's.
  if (url !== `${PLACE}favicon.ico`) seen.requests.push({ kind, url });
  if (kind === 'image') return route.fulfill({ body: PICTURE, contentType: 'image/gif' });
  return kind === 'stylesheet' ? route.fulfill({ body: '', contentType: 'text/css' }) : route.abort();
}

function watch(tab: Tab): void {
  const { page } = tab;
  page.on('dialog', (dialog) => {
    tab.seen.ran.push(`dialog ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on('popup', (other) => {
    tab.seen.ran.push(`opens a window for ${other.url()}`);
    other.close().catch(() => undefined);
  });
  page.on('download', (download) => tab.seen.ran.push(`download of ${download.url()}`));
  page.on('pageerror', (error) => tab.seen.ran.push(`script error ${error.message}`));
  page.on('console', (message) => {
    const { url } = message.location();
    if (message.type() === 'error' && !/^(?:cid|mid):/i.test(url)) tab.seen.errors.push(`${message.text()} ${url}`);
  });
}

interface TreeNode {
  readonly shadowRootType?: string;
  readonly children?: readonly TreeNode[];
  readonly shadowRoots?: readonly TreeNode[];
}

/** Trees of elements that a page hides from scripts, and so from the probe. */
async function closedTrees(session: CDPSession): Promise<string[]> {
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
  const found: string[] = [];
  const open: TreeNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.shadowRootType === 'closed') found.push('a closed tree of elements');
    open.push(...(node.children ?? []), ...(node.shadowRoots ?? []));
  }
  return found;
}
