/** The values of attributes. A plain string is no such value. Each kind has its own functions, and only this file makes values. */
import { inertLine } from './inert-text.ts';

/** The most characters of a value that a form shows again. */
const VALUE_CHARS = 600;

/** A text without elements: the value of an attribute, or the content of an element that holds characters only. */
class TextValue {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  /** Returns the text if `value` was made here. */
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
  /** Returns the address if `value` was made here. */
  static in(value: unknown): string | null {
    return typeof value === 'object' && value !== null && #address in value ? value.#address : null;
  }
}

export type { AddressValue, TextValue };

/** Returns the text of a value; null for anything else, even if it only looks like one. */
export const textIn = (value: unknown): string | null => TextValue.in(value);
/** Returns the address of a value; null for anything else, even if it only looks like one. */
export const addressIn = (value: unknown): string | null => AddressValue.in(value);

/** Returns an untrusted text for a place that cannot hold elements: cut, without links, and without characters that act. */
export const titleText = (untrustedText: string, maxChars: number): TextValue =>
  new TextValue(inertLine(untrustedText, maxChars));

/** Makes a value that a form shows again as typed, because the next request sends it unchanged. */
export const attribute = (value: string): TextValue => new TextValue(value.slice(0, VALUE_CHARS));

/** Makes the text in a field of several lines, as typed. The first line feed is not part of it. */
export const fieldText = (value: string, maxChars: number): TextValue => new TextValue(`\n${value.slice(0, maxChars)}`);

/** Returns a text of ours, of any length. */
export const ownText = (text: string): TextValue => new TextValue(text);

/**
 * Makes an address of ours that is written in the source. Each value in it becomes one segment of a path or one value of a query, with any
 * content.
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

/** Makes an address on our own host that was built elsewhere. Throws TypeError for any other. */
export function ownAddress(address: string): AddressValue {
  // A browser takes `//`, `/\` and a path behind a line feed for another host.
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(address)) throw new TypeError('This address does not lead to a page of ours.');
  return new AddressValue(address);
}

/** Makes an outside address that the operator gave, or a service of ours made. Throws TypeError for another scheme than http and https. */
export function outsideAddress(trustedUrl: string): AddressValue {
  const { protocol, href } = new URL(trustedUrl);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('Only a web address can be followed.');
  return new AddressValue(href);
}

/** Makes a picture inside the page. */
export const pictureAddress = (png: Uint8Array): AddressValue =>
  new AddressValue(`data:image/png;base64,${Buffer.from(png).toString('base64')}`);
