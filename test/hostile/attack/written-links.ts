/** Links in pages that lead elsewhere than they say: relative ones, and those which a program completes before it opens them. */
import { parseUrl } from '../../../lib/formats/urls/parse-url.ts';
import { emailWith } from '../../pipeline/rig.ts';
import type { Scan } from './airlock-run.ts';
import { mailAttack } from './attack-class.ts';
import { elementsOf, htmlOf } from './delivered-page.ts';

const LEADING: Readonly<Record<string, string>> = {
  'no-break space': '\u00a0',
  'byte order mark': '\ufeff',
  'wide blank': '\u3000',
  'line separator': '\u2028',
  'zero width': '\u200b',
  'soft hyphen': '\u00ad',
  direction: '\u202e',
  bracket: '<',
  'square bracket': '[',
  quote: '\u201c',
  'plain quote': "'",
  control: '\u0001',
};
const TARGETS: Readonly<Record<string, string>> = {
  'the web': 'https://evil.example/x',
  'a name': 'www.evil.example/x',
  'a name of old': 'ftp.evil.example/x',
  'a bare name': 'evil.example/x',
  'a share': '\\\\evil.example\\x',
  'no scheme': '//evil.example/x',
  'three slashes': '///evil.example/x',
  'other slashes': '/\\evil.example/x',
  'a blank in the scheme': 'ht tps://evil.example/x',
  'a blank behind the scheme': 'https ://evil.example/x',
  'a blank behind the colon': 'https: //evil.example/x',
  'an entity': 'https&#x3a;//evil.example/x',
  'one slash': 'https:/evil.example/x',
  'no slash': 'https:evil.example/x',
  'back slashes': 'https:\\\\evil.example\\x',
  'other dots': 'https://evil\u3002example/x',
  'a file': 'x.html',
  'a folder above': '../../x.exe',
  'a root': '/x',
  'a question': '?x=1',
  'a drive': 'C:\\x.exe',
  'a search': 'search-ms:query=x&crumb=location:\\\\evil.example',
  'an attached file': 'mailto:a@evil.example?subject=x&attach=C:\\x',
  'an attached file in code': 'mailto:?%61ttachment=/etc/passwd',
};
const PLACES: Readonly<Record<string, (url: string) => string>> = {
  link: (url) => `<a href="${url}">news</a>`,
  area: (url) => `<img src="cid:a" usemap="#m"><map name="m"><area href="${url}" coords="0,0,9,9"></map>`,
  'link in a drawing': (url) => `<svg><a xlink:href="${url}"><text>x</text></a></svg>`,
  quote: (url) => `<blockquote cite="${url}">x</blockquote>`,
  form: (url) => `<form action="${url}"><button formaction="${url}">x</button></form>`,
  description: (url) => `<img src="cid:a" longdesc="${url}">`,
  'link of Office': (url) => `<!--[if mso]><v:rect href="${url}">x</v:rect><![endif]-->`,
};

interface LinkCase {
  readonly id: string;
  readonly email: Uint8Array;
  readonly link: string;
}

function caseOf(id: string, markup: string, link = ''): LinkCase {
  const html = `<html><head><title>News</title></head><body><p>Hello</p>${markup}</body></html>`;
  return { id, link, email: Buffer.from(emailWith({ text: 'Hello', html })) };
}
const attribute = (text: string) => text.replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function* hostile(): Generator<LinkCase> {
  // A page with something active in it is written anew, another one stays when nothing in it can act.
  for (const [rest, name] of [
    ['', 'as it came'],
    ['<script>1</script>', 'written anew'],
  ] as const) {
    for (const [target, url] of Object.entries(TARGETS))
      yield caseOf(`${target}, ${name}`, `<a href="${attribute(url).replace('&amp;#', '&#')}">news</a>${rest}`);
    for (const [lead, character] of Object.entries(LEADING))
      for (const target of ['the web', 'a name', 'a share'])
        yield caseOf(
          `${lead} before ${target}, ${name}`,
          `<a href="${attribute(character)}${TARGETS[target]}">news</a>${rest}`,
        );
    for (const [place, write] of Object.entries(PLACES))
      for (const target of ['a name', 'no scheme', 'a file', 'a drive'])
        yield caseOf(`${target}, ${place}, ${name}`, `${write(TARGETS[target] ?? '')}${rest}`);
  }
}

/** Links as people write them: each must still lead where it led, also in a page that is written anew. */
const ORDINARY: Readonly<Record<string, string>> = {
  web: 'https://shop.example/news',
  'with a question': 'https://shop.example/a?utm_source=mail&id=1#top',
  'with a port': 'http://shop.example:8080/x',
  'with blanks in it': 'https://shop.example/a b?c=d e',
  'with blanks around it': ' https://shop.example/x ',
  'with letters of its country': 'https://b\u00fccher.example/stra\u00dfe',
  'in capitals': 'HTTPS://SHOP.example/X',
  'with a placeholder': 'https://shop.example/{{id}}',
  'without a scheme': 'www.shop.example/x',
  address: 'mailto:ann@shop.example?subject=Hello%20Ann&body=x',
  telephone: 'tel:+49 30 123456',
  place: '#chapter-2',
};

const JUNK = /^[\s\p{Cc}\p{Cf}<>[\](){}"'`\u201c\u201d\u3000]+/u;

/** Where programs take somebody who clicks: several guess, each in its own way. */
function openedBy(value: string): string[] {
  const url = value.replace(JUNK, '').replace(/[\p{Cc}\p{Cf}]/gu, '');
  if (url === '' || url.startsWith('#') || /^(?:cid|mid|tel|sms):/i.test(url)) return [];
  if (/^mailto:/i.test(url)) return /attach/i.test(decodeURIComponent(url)) ? [url] : [];
  const scheme = url.replace(/^([a-z]+)\s*:\s*/i, '$1:').replace(/^h\s*t\s*t\s*p\s*(s?)\s*:/i, 'http$1:');
  if (/^https?:/i.test(scheme)) return [parseUrl(scheme)?.href ?? scheme];
  if (/^www\./i.test(url)) return [`http://${url}`];
  if (/^ftp\./i.test(url)) return [`ftp://${url}`];
  // A relative one is a file, or a place that the program thinks of.
  return [url];
}

const OPENED = /^(?:(?:xlink:)?href|action|formaction|cite|longdesc|data|poster|src|background|ping)$/;

function known({ ledger }: Scan): ReadonlySet<string> {
  return new Set(
    (ledger?.artifacts ?? []).flatMap(({ untrustedUrl, disposition }) =>
      disposition === 'keep' && untrustedUrl !== null ? [untrustedUrl] : [],
    ),
  );
}

export const writtenLinks = mailAttack<LinkCase>({
  name: 'written-links',
  title: 'links in pages that programs complete to an address which nobody judged',
  cases: hostile,
  async judge(_, delivered) {
    const judged = known(delivered);
    const html = await htmlOf(delivered.message);
    for (const { tagName, attrs } of elementsOf(html.replace(/<!--\[if[^>]*>|<!\[endif\]-->/gi, '')))
      for (const { name, value, prefix } of attrs) {
        if (!OPENED.test(prefix ? `${prefix}:${name}` : name)) continue;
        const unjudged = openedBy(value).find((url) => !judged.has(url) && !judged.has(parseUrl(url)?.href ?? url));
        if (unjudged !== undefined) return `${tagName} ${name}="${value}" leads to ${unjudged}`;
      }
    return null;
  },
  *ordinary() {
    for (const [name, link] of Object.entries(ORDINARY)) {
      yield caseOf(`ordinary ${name}`, `<a href="${attribute(link)}">news</a>`, link);
      yield caseOf(`ordinary ${name}, written anew`, `<a href="${attribute(link)}">news</a><script>1</script>`, link);
    }
  },
  async judgeOrdinary({ link }, { message }) {
    const [anchor] = elementsOf(await htmlOf(message)).filter(({ tagName }) => tagName === 'a');
    const href = anchor?.attrs.find(({ name }) => name === 'href')?.value ?? '';
    const asUrl = (text: string) => parseUrl(text.trim())?.href ?? text.trim();
    const wanted = link.startsWith('www.') ? `http://${link}` : link;
    return asUrl(href) === asUrl(wanted) || href === link ? null : `the link ${link} became "${href}"`;
  },
});
