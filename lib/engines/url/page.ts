/** The page engine reads the bytes of a downloaded page. Like all readers of hostile bytes, it runs in a worker under a deadline. */

import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { ENGINE_VERSIONS } from '../engine-versions.ts';
import type { PageFacts, PageForm, PageReport } from '../url-report.ts';
import { scriptTarget, writesItself } from './page-script.ts';

/** A page of nothing but forms. */
const MAX_FORMS = 50;
const MAX_LOGOS = 50;
const TEXT_CHARACTERS = 300;
/** Script code that is read in the whole page. */
const SCRIPT_CHARACTERS = 1024 * 1024;
/** A redirect after more than this time counts as none, because people read the page first. */
const REFRESH_SECONDS = 30;
const ATTRIBUTES = new Set(
  'type action content http-equiv alt src href rel id class name width height formaction style'.split(' '),
);
const ATTRIBUTE_CHARACTERS = 4_096;

/** Reads a page. Never throws; linear in its length. */
export function readPage(bytes: Uint8Array, url: string, contentType: string): PageReport {
  const markup = pageText(bytes, contentType);
  const reader = new PageReader(markup, url);
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  tokenizer.write(markup);
  tokenizer.end();
  return { outcome: 'completed', page: reader.facts(), engineVersion: ENGINE_VERSIONS.page };
}

/** Returns the text of a page: by byte order mark, header, meta element, or as UTF-8, in this order. */
export function pageText(bytes: Uint8Array, contentType: string): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024));
  const declared = /charset\s*=\s*["']?\s*([a-z0-9_:-]{1,40})/i;
  const label = declared.exec(contentType)?.[1] ?? declared.exec(head)?.[1] ?? 'utf-8';
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : label;
  try {
    return new TextDecoder(marked).decode(bytes);
  } catch {
    // Browsers ignore a charset that they do not know.
    return new TextDecoder().decode(bytes);
  }
}

/** Collects the reports of the tokenizer. It is a class because the interface of the tokenizer is one object with state between calls. */
class PageReader implements TokenizerCallbacks {
  private tag = '';
  private attribute = '';
  private value = '';
  private attributes: Record<string, string> = {};
  private readonly forms: { action: string; hasPassword: boolean }[] = [];
  private form: { action: string; hasPassword: boolean } | null = null;
  private readonly logos: string[] = [];
  private readonly tricks = new Set<PageFacts['tricks'][number]>();
  private hasPassword = false;
  private title: string | null = null;
  private script = '';
  private scriptLeft = SCRIPT_CHARACTERS;
  private redirect: PageFacts['redirect'] = null;
  private base: string;

  constructor(
    private readonly markup: string,
    private readonly url: string,
  ) {
    this.base = url;
  }

  facts(): PageFacts {
    this.endScript();
    const { title, hasPassword, logos, redirect } = this;
    const forms: readonly PageForm[] = this.forms;
    return {
      title: title?.trim().replace(/\s+/g, ' ') || null,
      forms,
      hasPassword,
      logos,
      redirect,
      tricks: [...this.tricks],
    };
  }

  onopentagname(start: number, end: number): void {
    if (this.tag === 'script') this.endScript();
    this.tag = this.markup.slice(start, Math.min(end, start + 20)).toLowerCase();
    this.attributes = {};
  }
  onattribname(start: number, end: number): void {
    this.attribute = this.markup.slice(start, Math.min(end, start + 20)).toLowerCase();
    this.value = '';
  }
  onattribdata(start: number, end: number): void {
    const room = ATTRIBUTE_CHARACTERS - this.value.length;
    if (room > 0) this.value += this.markup.slice(start, Math.min(end, start + room));
  }
  onattribentity(codepoint: number): void {
    if (this.value.length < ATTRIBUTE_CHARACTERS) this.value += String.fromCodePoint(codepoint);
  }
  onattribend(quote: QuoteType): void {
    if (ATTRIBUTES.has(this.attribute) && !(this.attribute in this.attributes))
      this.attributes[this.attribute] = quote === QuoteType.NoValue ? '' : this.value;
  }
  onopentagend(): void {
    this.element(this.tag, this.attributes);
  }
  onselfclosingtag(): void {
    this.element(this.tag, this.attributes);
  }
  onclosetag(start: number, end: number): void {
    const tag = this.markup.slice(start, Math.min(end, start + 20)).toLowerCase();
    if (tag === 'script') this.endScript();
    if (tag === 'form') this.form = null;
    this.tag = '';
  }
  ontext(start: number, end: number): void {
    if (this.tag === 'title') this.addTitle(this.markup.slice(start, Math.min(end, start + TEXT_CHARACTERS)));
    else if (this.tag === 'script' && this.scriptLeft > 0) {
      const piece = this.markup.slice(start, Math.min(end, start + this.scriptLeft));
      this.scriptLeft -= piece.length;
      this.script += piece;
    }
  }
  ontextentity(codepoint: number): void {
    if (this.tag === 'title') this.addTitle(String.fromCodePoint(codepoint));
  }
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  private addTitle(text: string): void {
    this.title = ((this.title ?? '') + text).slice(0, TEXT_CHARACTERS);
  }

  private endScript(): void {
    const code = this.script;
    this.script = '';
    if (code === '') return;
    const target = this.redirect ? null : scriptTarget(code);
    if (target !== null) this.moveOn(target, 'script');
    if (writesItself(code)) this.tricks.add('self-writing-script');
  }

  private element(tag: string, attributes: Readonly<Record<string, string>>): void {
    if (tag === 'base' && attributes.href) this.base = this.resolved(attributes.href);
    else if (tag === 'meta' && /^\s*refresh\s*$/i.test(attributes['http-equiv'] ?? ''))
      this.refresh(attributes.content ?? '');
    else if (tag === 'form') this.openForm(this.resolved(attributes.action ?? ''));
    else if (tag === 'input' || tag === 'button') this.field(attributes);
    else if (tag === 'img' || tag === 'link') this.picture(attributes);
    else if (tag === 'iframe' && coversAll(attributes)) this.tricks.add('whole-frame');
  }

  private openForm(action: string): void {
    this.form = { action, hasPassword: false };
    if (this.forms.length < MAX_FORMS) this.forms.push(this.form);
  }

  private field({ type, formaction }: Readonly<Record<string, string>>): void {
    if (formaction && this.form) {
      const { hasPassword } = this.form;
      this.openForm(this.resolved(formaction));
      if (hasPassword && this.form) this.form.hasPassword = true;
    }
    if (!/^\s*password\s*$/i.test(type ?? '')) return;
    this.hasPassword = true;
    if (this.form) this.form.hasPassword = true;
  }

  private picture({
    alt = '',
    src = '',
    href = '',
    rel = '',
    id = '',
    class: classes = '',
  }: Readonly<Record<string, string>>): void {
    const address = src || (/icon/i.test(rel) ? href : '');
    if (address === '' || this.logos.length >= MAX_LOGOS) return;
    if (/icon/i.test(rel) || /logo|brand/i.test(`${alt} ${id} ${classes} ${address.slice(0, TEXT_CHARACTERS)}`))
      this.logos.push(
        `${alt.slice(0, 80)} ${address.startsWith('data:') ? '' : this.resolved(address)}`
          .slice(0, TEXT_CHARACTERS)
          .trim(),
      );
  }

  private refresh(content: string): void {
    const match = /^\s*([0-9.]*)\s*[;,\s]\s*(?:url\s*=\s*)?["']?\s*([^"']+)/i.exec(content);
    if (match?.[2] && Number(match[1] || 0) <= REFRESH_SECONDS) this.moveOn(match[2], 'meta');
  }

  private moveOn(target: string, via: 'meta' | 'script'): void {
    const url = this.resolved(target.trim());
    // A page that reloads itself is not a redirect.
    if (this.redirect === null && url !== this.url) this.redirect = { url, via };
  }

  private resolved(reference: string): string {
    return parseUrl(reference, this.base)?.href ?? reference.slice(0, TEXT_CHARACTERS);
  }
}

const coversAll = ({ width = '', height = '', style = '' }: Readonly<Record<string, string>>) =>
  (/^\s*100\s*%/.test(width) && /^\s*100\s*(?:%|vh)?/.test(height)) ||
  /width:\s*100(?:%|vw).{0,200}height:\s*100(?:%|vh)/is.test(style);
