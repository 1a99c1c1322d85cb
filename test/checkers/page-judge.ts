/** Whether a page that the real browser has opened does or leads to anything that nobody judged harmless. */
import { parseUrl } from '../../lib/formats/urls/parse-url.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import type { Sighting } from './browser.ts';

const PASSIVE = /^(?:image|stylesheet|font)$/;
/** Addresses that stay in the message, or call somebody: no page comes of them. */
const HARMLESS = /^(?:(?:cid|mid|tel|sms):|data:image\/(?:png|gif|jpe?g|webp|bmp)[;,])/i;

/** Addresses that stay clickable, as a browser writes them. */
export function keptUrls(ledger: Ledger | null): ReadonlySet<string> {
  return new Set(
    (ledger?.artifacts ?? []).flatMap(({ untrustedUrl, disposition }) =>
      disposition === 'keep' && untrustedUrl !== null ? [spelled(untrustedUrl)] : [],
    ),
  );
}

const spelled = (url: string) => parseUrl(url)?.href ?? url;

/** What the page did or would do, in words; null when it is harmless. */
export function threatOf(sighting: Sighting, kept: ReadonlySet<string>): string | null {
  const { ran, active, requests, addresses, place } = sighting;
  if (ran[0] !== undefined) return `it acts: ${ran[0]}`;
  const isHarmless = (url: string) => kept.has(spelled(url)) || HARMLESS.test(url);
  const asked = requests.find(({ kind, url }) => !(PASSIVE.test(kind) && isHarmless(url)));
  if (asked !== undefined) return `it asks for ${asked.url} (${asked.kind})`;
  if (active[0] !== undefined) return `it would act: ${active[0]}`;
  const staysHere = (url: string) => url.replace(/#.*$/s, '') === place;
  const led = addresses.find(({ url }) => !isHarmless(url) && !isPlainMail(url) && !staysHere(url));
  return led === undefined ? null : `${led.where} leads to ${led.url}`;
}

/** A letter to somebody, that takes no file of this machine along. */
function isPlainMail(url: string): boolean {
  if (!/^mailto:/i.test(url)) return false;
  const once = decoded(url);
  return !/attach/i.test(`${url} ${once} ${decoded(once)}`);
}

const decoded = (text: string) =>
  text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** What of an ordinary page the delivered one lacks, in words; null when nothing. */
export function lossOf(before: Sighting, after: Sighting): string | null {
  const left = new Set(after.addresses.map(({ url }) => url.replace(after.place, before.place)));
  const lost = before.addresses.find(({ where, url }) => where.startsWith('a ') && !left.has(url));
  if (lost !== undefined) return `the link to ${lost.url} is gone`;
  if (after.errors[0] !== undefined) return `the console says ${after.errors[0]}`;
  return before.text.replace(/\s+/g, ' ') === after.text.replace(/\s+/g, ' ') ? null : 'its text was changed';
}
