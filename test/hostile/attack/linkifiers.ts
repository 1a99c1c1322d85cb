/** What three linkifiers of others mark as a link in plain text. The reader is built on none of them. */
import anchormeModule from 'anchorme';
import { Autolinker } from 'autolinker';
import { find } from 'linkifyjs';

// A CommonJS module whose one export is called `default`; a bundler takes it for the module.
const anchorme = 'list' in anchormeModule ? (anchormeModule as unknown as Anchorme) : anchormeModule.default;
type Anchorme = typeof anchormeModule.default;

/** Every address that at least one of them would make clickable, as it would be opened. Mail addresses are not links. */
export function linksOthersMark(text: string): string[] {
  const options = { urls: true, email: false, phone: false, mention: false, hashtag: false } as const;
  const found = [
    ...find(text, 'url').map(({ href }) => href),
    ...Autolinker.parse(text, options).map((match) => match.getAnchorHref()),
    ...anchorme.list(text, true).flatMap(({ isEmail, string }) => (isEmail ? [] : [string])),
  ];
  return [...new Set(found)];
}

/** The same and mail addresses, which open a program too: in words of our own, nothing of a stranger may be clickable. */
export function linksOrAddressesOthersMark(text: string): string[] {
  const options = { urls: false, email: true, phone: false, mention: false, hashtag: false } as const;
  const addresses = [
    ...find(text, 'email').map(({ href }) => href),
    ...Autolinker.parse(text, options).map((match) => match.getAnchorHref()),
    ...anchorme.list(text, true).map(({ string }) => string),
  ];
  return [...new Set([...linksOthersMark(text), ...addresses])];
}
