/**
 * `npm run check:pages`: the real Chromium opens the pages of what the airlock delivers for hostile mail, and nothing may run, be
 * loaded or be clickable that nobody judged harmless. Exit codes: 0 nothing won, or skipped because Chromium is not there (it says
 * so); 1 something won, an ordinary letter was spoiled, or the judge is blind.
 */
import { createHash } from 'node:crypto';
import { type Airlock, openAirlock } from '../hostile/attack/airlock-run.ts';
import { type MailAttackClass, type MailCase, scanCase } from '../hostile/attack/attack-class.ts';
import { charsets } from '../hostile/attack/charsets.ts';
import { completedLinks } from '../hostile/attack/completed-links.ts';
import { halfLinks } from '../hostile/attack/half-links.ts';
import { shares } from '../hostile/attack/shares.ts';
import { wordBodies } from '../hostile/attack/word-bodies.ts';
import { writtenLinks } from '../hostile/attack/written-links.ts';
import { openBrowser, type PageBrowser, type Sighting } from './browser.ts';
import { HARMLESS_PAGE, HOSTILE_PAGES } from './hostile-pages.ts';
import { type MessagePage, pagesOf } from './message-pages.ts';
import { keptUrls, lossOf, threatOf } from './page-judge.ts';
import { missingOf } from './tools.ts';

const CLASSES: readonly MailAttackClass[] = [wordBodies, writtenLinks, completedLinks, charsets, shares, halfLinks];
/** Hostile mails of each class: a browser takes a quarter of a second for a page, and sees each in two charsets. */
const MAILS_PER_CLASS = 28;

interface Tried {
  readonly id: string;
  readonly ended: string;
  readonly won: string | null;
  /** Whether the page as the sender wrote it does something in this browser. */
  readonly wasThreat: boolean;
}

const print = (text: string) => process.stdout.write(`${text}\n`);

/** Mails with a page, in an order that has nothing to do with how they were generated: the same at every run. */
async function sampleOf(mails: Iterable<MailCase>, most: number): Promise<MailCase[]> {
  const rank = ({ id }: MailCase) => createHash('sha256').update(id).digest('hex');
  const ranked = [...mails].map((mail) => ({ mail, at: rank(mail) })).sort((a, b) => (a.at < b.at ? -1 : 1));
  const sample: MailCase[] = [];
  for (const { mail } of ranked) if (sample.length < most && (await pagesOf(mail.email)).length > 0) sample.push(mail);
  return sample;
}

/** A page as its label has it, and as the browser guesses it without one. */
function looksAt(browser: PageBrowser, { type, charset, bytes }: MessagePage): Promise<Sighting>[] {
  const labels = new Set([charset === null ? type : `${type}; charset=${charset}`, type]);
  return [...labels].map((label) => browser.look(bytes, label));
}

const looksAtAll = async (browser: PageBrowser, message: Uint8Array | string): Promise<Sighting[]> =>
  Promise.all((await pagesOf(message)).flatMap((page) => looksAt(browser, page)));

async function tryHostile(browser: PageBrowser, airlock: Airlock, mail: MailCase): Promise<Tried> {
  const { state: ended, message, ledger, why } = await scanCase(airlock, mail);
  const kept = keptUrls(ledger);
  const threats = (sightings: readonly Sighting[]) => sightings.flatMap((sighting) => threatOf(sighting, kept) ?? []);
  const wasThreat = threats(await looksAtAll(browser, mail.email)).length > 0;
  const failed = /^(?:failed|interrupted)$/.test(ended) ? `the run ended in ${ended}: ${why}` : null;
  const [threat = null] = message === null ? [] : threats(await looksAtAll(browser, message));
  return { id: mail.id, ended, won: failed ?? threat, wasThreat };
}

async function tryOrdinary(browser: PageBrowser, airlock: Airlock, mail: MailCase): Promise<Tried> {
  const { state: ended, message, why } = await scanCase(airlock, mail);
  const tried = { id: mail.id, ended, wasThreat: false };
  if (message === null) return { ...tried, won: `an ordinary mail was ${ended}: ${why}` };
  const [before, after] = await Promise.all([looksAtAll(browser, mail.email), looksAtAll(browser, message)]);
  const losses = before.map((each, index) => {
    const same = after[index];
    return same === undefined ? 'the page is gone' : lossOf(each, same);
  });
  return { ...tried, won: losses.find((loss) => loss !== null) ?? null };
}

/** What the judge does not see, or sees where nothing is. */
async function blindSpots(browser: PageBrowser): Promise<string[]> {
  const spots: string[] = [];
  for (const [name, page] of Object.entries(HOSTILE_PAGES))
    if (threatOf(await browser.look(Buffer.from(page), 'text/html; charset=utf-8'), new Set()) === null)
      spots.push(`${name} is not seen`);
  const harmless = await browser.look(Buffer.from(HARMLESS_PAGE), 'text/html; charset=utf-8');
  const threat = threatOf(harmless, new Set());
  return threat === null ? spots : [...spots, `a harmless page is taken for a threat: ${threat}`];
}

function report(name: string, tried: readonly Tried[]): void {
  const won = tried.filter((each) => each.won !== null);
  const ended = [...new Set(tried.map((each) => each.ended))].map(
    (way) => `${tried.filter((each) => each.ended === way).length} ${way}`,
  );
  const threats = tried.filter(({ wasThreat }) => wasThreat).length;
  print(
    `${name.padEnd(26)} ${String(tried.length).padStart(6)} ${String(won.length).padStart(5)} ${String(threats).padStart(9)}  ${ended.join(', ')}`,
  );
  for (const { id, won: what } of won) print(`      ${id}: ${what}`);
}

async function tryAll(browser: PageBrowser, airlock: Airlock): Promise<number> {
  const all: Tried[] = [];
  const run = async (name: string, mails: readonly MailCase[], tryOne: typeof tryHostile) => {
    const tried: Tried[] = [];
    for (const mail of mails) tried.push(await tryOne(browser, airlock, mail));
    report(name, tried);
    all.push(...tried);
  };
  print(`${'class'.padEnd(26)} ${'tried'.padStart(6)} ${'won'.padStart(5)} ${'originals'.padStart(9)}  ended`);
  for (const attack of CLASSES)
    await run(attack.name, await sampleOf(attack.hostileMails(), MAILS_PER_CLASS), tryHostile);
  await run('ordinary letters', [...wordBodies.ordinaryMails()], tryOrdinary);
  const won = all.filter((each) => each.won !== null).length;
  const threats = all.filter(({ wasThreat }) => wasThreat).length;
  print(
    `\n${all.length} tried in Chromium, ${won} won; ${threats} do something there when they are not sent through the airlock`,
  );
  return threats === 0 ? 1 : won;
}

async function main(): Promise<number> {
  const missing = missingOf(['chromium']);
  if (missing !== null) {
    print(`SKIPPED: delivered pages are not opened by Chromium: ${missing}`);
    return 0;
  }
  const browser = await openBrowser();
  const airlock = await openAirlock();
  try {
    const blind = await blindSpots(browser);
    for (const spot of blind) print(`The judge is blind: ${spot}`);
    return (await tryAll(browser, airlock)) + blind.length === 0 ? 0 : 1;
  } finally {
    await Promise.all([browser.close(), airlock.close()]);
  }
}

process.exitCode = await main();
