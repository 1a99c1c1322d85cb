/**
 * The meaning of JSX in our pages. hono/jsx makes the elements and writes them. For hono/jsx an escaped string is harmless, any object with
 * `isEscaped` is markup, and any attribute is allowed. This module is stricter. A string in an element is always cut, defanged, marked and
 * escaped (inert-text.ts). Elements and attributes are a closed list (elements.ts). Only this module can make markup, because it has a
 * private field, which no value from a mail or from JSON can have. Components are called at once, so nothing is awaited, and pages have no
 * markers for a browser to continue with.
 */
import { raw } from 'hono/html';
import { Fragment as HonoFragment, jsx as honoElement } from 'hono/jsx/jsx-runtime';
import { type AttributesOf, type ElementName, holdsText, writtenAttributes } from './elements.ts';
import { defangedAddress, inertRuns, TEXT_CHARS } from './inert-text.ts';
import { type TextValue, textIn, titleText } from './values.ts';

/** The output of hono/jsx: one of its elements, markup of ours, or a string, which it escapes. */
type Written = ReturnType<typeof honoElement> | ReturnType<typeof raw> | string;

/** A piece of a page: elements and inert texts. Only this module makes it. */
class Piece {
  #written: readonly Written[];
  constructor(written: readonly Written[]) {
    this.#written = written;
  }
  /** Returns the markup of `value`; null when this module did not make it. */
  static in(value: unknown): readonly Written[] | null {
    return typeof value === 'object' && value !== null && #written in value ? value.#written : null;
  }
  /** True when nothing would be written. */
  get isEmpty(): boolean {
    return this.#written.length === 0;
  }
  /** The HTML. It is written once: the size of sections is measured before they are placed in the page. */
  get markup(): string {
    if (this.isEmpty) return '';
    const text = honoElement(HonoFragment, { children: this.#written }, undefined).toString();
    if (typeof text !== 'string') throw new TypeError('A page waits for nothing.');
    this.#written = [raw(text)];
    return text;
  }
}

/** A piece of HTML. */
export type Markup = Piece;

/** The content of an element: an untrusted text, a number, markup, or a list of them. The items of a list are written one per line. */
export type Child = string | number | Markup | null | readonly Child[];

export const NOTHING: Markup = new Piece([]);

/** Returns a text that is safe in an element: cut, without links, with acting characters as visible marks, and escaped. */
export const shown = (untrustedText: string, maxChars = TEXT_CHARS): Markup =>
  new Piece(
    inertRuns(untrustedText, maxChars).map(({ text, as }) =>
      as === null ? text : honoElement(as === 'mark' ? 'i' : 'span', { class: as, children: text }, undefined),
    ),
  );

/** Returns a value that is one address: a URL, a host, a mail address. */
export const address = (untrustedValue: string): Markup => shown(defangedAddress(untrustedValue.slice(0, 2_000)));

/** Returns a text of ours, such as the words of the interface: escaped, and otherwise unchanged. */
export const plain = (ownText: string): Markup => new Piece([ownText]);

/** Returns the style of a page that is a file or has the hash of its style in its policy. Throws TypeError for a text that could end it. */
export function ownStyle(css: string): Markup {
  if (css.includes('<')) throw new TypeError('A style has no elements in it.');
  return new Piece([raw(`<style>${css}</style>`)]);
}

/** Returns the text of a whole page. */
export const documentText = (html: Markup): string => `<!doctype html>\n${html.markup}\n`;

type Component = (props: Readonly<Record<string, unknown>>) => Markup;
type Props = Readonly<Record<string, unknown>>;

/** Makes an element with one child. */
export const jsx = (type: string | Component | typeof Fragment, props: Props): Markup =>
  made(type, props, [props.children]);

/** Makes an element with several children. */
export const jsxs = (type: string | Component | typeof Fragment, props: Props): Markup =>
  made(type, props, props.children as readonly unknown[]);

/** Several pieces without an element around them. */
export const Fragment: unique symbol = Symbol('fragment');

function made(type: string | Component | typeof Fragment, props: Props, children: readonly unknown[]): Markup {
  if (typeof type === 'function') return type(props);
  if (type === Fragment) return new Piece(writtenIn(children));
  const attributes = writtenAttributes(type, props);
  const inside = holdsText(type) ? children.map(writtenText) : writtenIn(children);
  return new Piece([honoElement(type, { ...attributes, children: inside }, undefined)]);
}

function writtenIn(children: readonly unknown[]): Written[] {
  const written: Written[] = [];
  for (const child of children) write(child, written);
  return written;
}

function write(child: unknown, to: Written[]): void {
  if (child === null || child === undefined) return;
  if (typeof child === 'string') write(shown(child), to);
  else if (typeof child === 'number') to.push(Number.isFinite(child) ? numberText(child) : '');
  else if (Array.isArray(child)) writeLines(child, to);
  else {
    const written = Piece.in(child);
    if (written === null) throw new TypeError('Only texts, numbers and markup of this module can stand in a page.');
    to.push(...written);
  }
}

/** Thousands are apart by a narrow space (ISO 80000-1): a comma is a decimal sign to half of the readers. */
const numberText = (number: number): string => number.toLocaleString('en-US').replaceAll(',', '\u202f');

function writeLines(items: readonly unknown[], to: Written[]): void {
  let hasLine = false;
  for (const item of items) {
    const line = writtenIn([item]);
    if (line.length === 0) continue;
    if (hasLine) to.push('\n');
    to.push(...line);
    hasLine = true;
  }
}

/** Returns the characters of an element that can contain nothing else. */
function writtenText(child: unknown): string {
  if (child === null || child === undefined) return '';
  const text = typeof child === 'string' ? textIn(titleText(child, TEXT_CHARS)) : textIn(child);
  if (text === null) throw new TypeError('This element holds characters only.');
  return text;
}

/** The types of JSX: only listed elements and attributes, and components that return markup. */
export declare namespace JSX {
  type Element = Markup;
  type ElementType = ElementName | ((props: never) => Markup);
  interface ElementChildrenAttribute {
    children: unknown;
  }
  type IntrinsicElements = {
    [Name in ElementName]: AttributesOf<Name> & {
      readonly children?: (Name extends 'title' | 'textarea' | 'option' ? string | TextValue : Child) | undefined;
    };
  };
}
