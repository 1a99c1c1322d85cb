/** How long looking for URLs takes: ordinary pages of ten megabytes, and every text built to make it slow. */
import { parseUrl } from '../../lib/formats/urls/parse-url.ts';
import { locateUrls } from '../../lib/message/urls/find.ts';
import { type UrlCase, urlCases } from '../fixtures/cases.ts';
import { count, type Measured, ms, type Part, quantity } from './figure.ts';
import { ledgerOf } from './reading-ledger.ts';
import { median } from './statistics.ts';

const MEGABYTES = 10;
const REPETITIONS = 5;
const TARGET_MS = 250;
const ATTACK_TARGET_MS = 2_000;
const ATTACK_TARGET_MB = 400;
const LIMITS = { urlLength: 8192 };
const WORDS =
  'Your order has been shipped and will be with you in two or three days. Thank you for shopping with us, and see you soon. ';

/** A newsletter: two addresses per product, one of them with parameters, between tables and text. */
function newsletter(): string {
  const pieces = ['<html><body><table>'];
  let length = 0;
  for (let item = 0; length < MEGABYTES * 1_000_000; item++) {
    const link = `https://www.shop-${item % 977}.example/item/${item}?utm_source=mail&amp;id=${item}`;
    const picture = `<img src="https://cdn.example/img/${item}.png" width="20">`;
    const row = `<tr><td class="x" style="padding:0"><a href="${link}">${picture}</a></td><td><p>${WORDS}Item ${item}.</p></td></tr>\n`;
    length += row.length;
    pieces.push(row);
  }
  return pieces.join('');
}

/** A log or a thread of quoted letters: running text, with an address in every third line. */
function prose(): string {
  const lines: string[] = [];
  let length = 0;
  for (let line = 0; length < MEGABYTES * 1_000_000; line++) {
    const text = line % 3 === 0 ? `${WORDS} https://www.example.org/page/${line}\n` : `> ${WORDS}\n`;
    length += text.length;
    lines.push(text);
  }
  return lines.join('');
}

/** A line each: what is repeated to ten megabytes. */
const ATTACKS: readonly (readonly [string, string])[] = [
  ['line ends', '\n'],
  ['table cells', '<td>a'],
  ['open brackets', '<'],
  ['nested elements', '<div>'],
  ['cells behind open elements', '<div><td>'],
  ['tags with letters', 'a<b>'],
  ['attributes', '<a b=c d='],
  ['one attribute without end', 'x'],
  ['entities in a link', '&#104;'],
  ['bare ampersands', '&amp'],
  ['unclosed comments', '<!--[if mso]>'],
  ['schemes glued together', 'http://'],
  ['schemes glued together, encoded', 'https%3a%2f%2f'],
  ['dots', 'https://a.......'],
  ['labels of a host', 'a.a.a.'],
  ['punycode', 'xn--a.'],
  ['addresses', 'a@b.example '],
  ['odd words', 'x,evil.com,y '],
  ['brackets of defanged URLs', '[.'],
  ['defanged hosts', 'evil[.]com '],
  ['spelled dots', 'https://a dot '],
  ['spelled hosts', 'https://example dot com '],
  ['short hosts', 'ab.de '],
  ['zero-width spaces', 'a\u200b.\u200b'],
  ['unclosed style functions', '<p style="url(url(url('],
  ['unclosed style strings', `<style>url("url('`],
  ['backslashes', '\\\\a'],
  ['white space in a refresh', '<meta content="          '],
  ['bases', '<base href="//a.example/">'],
  ['wrappers', '<a href="https://www.google.com/url?q=https://www.google.com/url?q=">'],
];

function attackOf(name: string, piece: string): string {
  const body = piece.repeat(Math.ceil((MEGABYTES * 1_000_000) / piece.length));
  if (name === 'one attribute without end') return `<a href="${body}`;
  return name === 'entities in a link' ? `<a href="${body}">` : body;
}

function timeOf(text: string, format: 'html' | 'text'): { readonly ms: number; readonly urls: number } {
  const before = process.cpuUsage();
  const urls = locateUrls(text, { format }, LIMITS, false).urls.length;
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, urls };
}

/** Cases whose URLs are not all in the ledger of a message with this body. */
async function missedCases(cases: readonly UrlCase[]): Promise<string[]> {
  const canonical = (url: string) => parseUrl(url)?.href ?? url;
  const missed: string[] = [];
  for (const { id, type, input, expect } of cases) {
    const header = `From: a@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/${type === 'text' ? 'plain' : 'html'}; charset=utf-8\r\n\r\n`;
    const email = Buffer.from(type === 'mime' ? input : header + input, type === 'mime' ? 'latin1' : 'utf8');
    const ledger = await ledgerOf(email);
    const found = new Set(
      ledger.urls.flatMap((url) => [url.normalised, url.untrustedRaw, ...url.unwrapped]).map(canonical),
    );
    if (!expect.every((url) => found.has(canonical(url)))) missed.push(id);
  }
  return missed;
}

export const urls: Part = {
  name: 'urls',
  title: `Finding URLs in ${MEGABYTES} MB of HTML and text, ordinary and hostile`,
  async measure(progress): Promise<Measured> {
    const page = newsletter();
    const text = prose();
    timeOf(page, 'html');
    timeOf(text, 'text');
    const pages = Array.from({ length: REPETITIONS }, () => timeOf(page, 'html'));
    const texts = Array.from({ length: REPETITIONS }, () => timeOf(text, 'text'));
    if (pages.some((run) => run.urls < 50_000) || texts.some((run) => run.urls < 20_000))
      throw new Error('URLs were missed');
    progress(`ordinary pages: ${pages[0]?.urls} and ${texts[0]?.urls} URLs`);
    const cases = urlCases();
    const missed = await missedCases(cases);
    const attacks = ATTACKS.map(([name, piece]) => measureAttack(name, piece, progress));
    const worst = attacks.reduce((one, other) => (other.ms > one.ms ? other : one));
    const largest = attacks.reduce((one, other) => (other.growthMb > one.growthMb ? other : one));
    return {
      figures: [
        {
          name: 'newsletter, HTML',
          measured: ms(median(pages.map((run) => run.ms))),
          atMost: TARGET_MS,
          baselines: [],
        },
        {
          name: 'quoted letters, text',
          measured: ms(median(texts.map((run) => run.ms))),
          atMost: TARGET_MS,
          baselines: [],
        },
        { name: 'URL cases not found', measured: count(missed.length), atMost: 0, baselines: [] },
        { name: `worst attack: ${worst.name}`, measured: ms(worst.ms), atMost: ATTACK_TARGET_MS, baselines: [] },
        {
          name: `most memory: ${largest.name}`,
          measured: quantity(largest.growthMb, 'MB'),
          atMost: ATTACK_TARGET_MB,
          baselines: [],
        },
      ],
      tables: [
        {
          title: `Attacks, ${MEGABYTES} MB each, once as HTML and once as text`,
          columns: ['repeated', 'time', 'growth', 'URLs'],
          rows: attacks.map((attack) => [
            attack.name,
            ms(attack.ms),
            quantity(attack.growthMb, 'MB'),
            count(attack.urls),
          ]),
        },
      ],
      notes: [
        `${cases.length - missed.length} of ${cases.length} URL cases have every URL in the ledger.${missed.map((id) => ` Missed: ${id}.`).join('')}`,
        'Times are processor time of this process.',
        'Growth is of the resident set over one attack as HTML and as text, without the text itself.',
      ],
    };
  },
};

function measureAttack(name: string, piece: string, progress: (text: string) => void) {
  const attack = attackOf(name, piece);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const asHtml = timeOf(attack, 'html');
  const asText = timeOf(attack, 'text');
  const growthMb = Math.max(0, process.memoryUsage().rss - before) / 1_000_000;
  progress(`${name}: ${asHtml.ms.toFixed(0)} and ${asText.ms.toFixed(0)} ms`);
  return { name, ms: Math.max(asHtml.ms, asText.ms), growthMb, urls: asHtml.urls };
}
