/** The values of attributes. A plain string is none: each kind has its own functions, and this file alone makes them. */
import { inertLine } from './inert-text.ts';

/** Most characters of a value that a form shows again. */
const VALUE_CHARS = 600;

/** A text without elements: the value of an attribute, or the content of an element that holds characters only. */
class TextValue {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  /** The text, when `value` is one that was made here. */
  static in(value: unknown): string | null {
    return typeof value === 'object' && value !== null && #text in value ? value.#text : null;
  }
}

/** An address that a page leads to, loads or sends a form to. */
class AddressValue {
  readonly #address: string;
  constructor(address: string) {
    this.#address = address;
  }
  /** The address, when `value` is one that was made here. */
  static in(value: unknown): string | null {
    return typeof value === 'object' && value !== null && #address in value ? value.#address : null;
  }
}

export type { AddressValue, TextValue };

/** The text of a value; null for anything else, also for what only looks like one. */
export const textIn = (value: unknown): string | null => TextValue.in(value);
/** The address of a value; null for anything else, also for what only looks like one. */
export const addressIn = (value: unknown): string | null => AddressValue.in(value);

/** An untrusted text for a place that cannot hold elements: cut, without links, and without characters that act. */
export const titleText = (untrustedText: string, maxChars: number): TextValue =>
  new TextValue(inertLine(untrustedText, maxChars));

/** A value that a form shows again as it was typed, because the next request sends it as it is. */
export const attribute = (value: string): TextValue => new TextValue(value.slice(0, VALUE_CHARS));

/** The text in a field of several lines, as it was typed. The first line feed is not part of it. */
export const fieldText = (value: string, maxChars: number): TextValue => new TextValue(`\n${value.slice(0, maxChars)}`);

/** A text of ours, of any length. */
export const ownText = (text: string): TextValue => new TextValue(text);

/**
 * An address of ours, written in the source. Each value in it becomes one segment of a path or one value of a query, whatever it holds.
 *
 * @example
 * ```tsx
 * <a href={toPage`/mails/${runId}`}>{subject}</a>
 * ```
 */
export function toPage(pieces: TemplateStringsArray, ...values: readonly (string | number)[]): AddressValue {
  const holes = values.map((value) => {
    const segment = encodeURIComponent(value);
    if (/^\.{0,2}$/.test(segment)) throw new TypeError('A segment of an address is empty, or leads up.');
    return segment;
  });
  return new AddressValue(pieces.map((piece, at) => piece + (holes[at] ?? '')).join(''));
}

/** An address on our own host that was put together elsewhere. Throws TypeError for any other. */
export function ownAddress(address: string): AddressValue {
  // A browser takes `//`, `/\` and a path behind a line feed for another host.
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(address)) throw new TypeError('This address does not lead to a page of ours.');
  return new AddressValue(address);
}

/** An address elsewhere that the operator gave, or a service of ours made. Throws TypeError for another scheme than http and https. */
export function outsideAddress(trustedUrl: string): AddressValue {
  const { protocol, href } = new URL(trustedUrl);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('Only a web address can be followed.');
  return new AddressValue(href);
}

/** A picture inside of the page. */
export const pictureAddress = (png: Uint8Array): AddressValue =>
  new AddressValue(`data:image/png;base64,${Buffer.from(png).toString('base64')}`);
