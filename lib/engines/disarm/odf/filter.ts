/** Filters one OpenDocument part while it is read, and writes the remaining content as new XML. */

import { EngineError } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';
import { isSafeLink } from '../safe-links.ts';
import { escapeText, escapeValue } from '../xml-escape.ts';
import { checkedText } from './checked.ts';
import { addBoxStyle, boxStyle, FormWords } from './forms.ts';
import { AREA_ELEMENTS, judgeAttribute, LINK_ELEMENTS, PICTURE_ELEMENTS, ruleOf } from './rules.ts';
import { DECLARATIONS } from './vocabularies.ts';
import type { OdfAttribute, OdfSink } from './xml.ts';

export interface OdfContext {
  readonly log: RemovalLog;
  /** Name of the part, for the report. */
  readonly part: string;
  readonly keepMetadata: boolean;
  /** Returns the name in the output of the picture that a link inside the package names; null when there is no such picture. */
  readonly picture: (href: string) => string | null;
  /** The media type that the root of a flat document must state; null for the parts of a package. */
  readonly mimetype: string | null;
}

export interface InlinePicture {
  readonly base64: string;
  /** Called with the new picture in base64. */
  readonly put: (base64: string) => void;
}

/** An open element, and what is done with it: `keep`, `unwrap` (only its content), `blank` (no text), `hold` (judge its text at its end). */
interface Frame {
  readonly key: string;
  readonly action: 'keep' | 'unwrap' | 'hold' | 'binary' | 'blank';
  /** The opening tag of an element whose text is judged. */
  readonly markup: string;
  readonly name: string;
  held: string[];
}

const SAFE_IN_DOCUMENT = /^#[^\p{Cc}]{0,2000}$/u;
/** Elements with the names of people, besides comments and changes. */
const PERSON = /^(?:dc:creator|meta:creator-initials|loext:sender-initials)$/;

/** Elements that programs write into every document. They are reported only when something is in them. */
const SHELLS: ReadonlySet<string> = new Set(['office:scripts', 'office:script', 'office:forms', 'ooo:libraries']);

/** The attribute in which the root of a flat document states its type. Its value is that of the context. */
const MIMETYPE: OdfAttribute = { key: 'office:mimetype', value: '' };

export class OdfFilter implements OdfSink {
  readonly inline: InlinePicture[] = [];
  /** The version of OpenDocument that the root states; null before 1.2 and for an invalid one. */
  version: string | null = null;
  private readonly out: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  private readonly frames: Frame[] = [];
  private readonly forms = new FormWords();
  private boxes: string | null = null;
  private skipped = 0;
  /** The kind of the content in the shell that is being left out. */
  private shell: string | null = null;
  /** Whether the last opening tag is still open. */
  private isTagOpen = false;

  constructor(
    private readonly context: OdfContext,
    private readonly root: string,
  ) {}

  open(key: string | null, attributes: readonly OdfAttribute[], unknown: boolean): void {
    if (this.skipped > 0) {
      this.skipped += 1;
      this.forms.take(key, attributes);
      if (!SHELLS.has(key ?? '')) this.noteShell();
      return;
    }
    const parent = this.frames.at(-1)?.action;
    if (parent === undefined && this.isContentAlone(key)) {
      this.open(this.root, [MIMETYPE, ...attributes.filter((each) => each.key !== MIMETYPE.key)], unknown);
      return;
    }
    if (parent === undefined) this.start(key, attributes);
    if (unknown) this.note('unknown markup', 'sanitized');
    if (parent === 'hold' || parent === 'binary') this.skip('unknown markup');
    else this.judge(key, attributes);
  }

  private judge(key: string | null, attributes: readonly OdfAttribute[]): void {
    const rule = ruleOf(key);
    if (key === 'draw:control') this.writeWords(attributes);
    if (rule.action === 'drop') {
      this.shell = SHELLS.has(key ?? '') ? rule.kind : null;
      this.skip(this.shell === null ? rule.kind : null);
    } else if (key !== null && rule.action === 'unwrap') {
      if (rule.kind !== null) this.note(rule.kind, 'removed');
      this.frames.push(frameOf(key, 'unwrap'));
    } else if (key !== null) {
      this.keep(key, attributes);
    }
  }

  text(text: string): void {
    const frame = this.frames.at(-1);
    if (this.skipped > 0 || frame === undefined || frame.action === 'blank') return;
    if (frame.action === 'hold' || frame.action === 'binary') {
      frame.held.push(text);
      return;
    }
    this.endTag();
    this.out.push(escapeText(text));
  }

  close(): void {
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    const frame = this.frames.pop();
    if (frame === undefined || frame.action === 'unwrap') return;
    if (frame.action === 'hold') {
      this.endHeld(frame);
      return;
    }
    if (frame.action === 'binary') this.endBinary(frame);
    else if (this.isTagOpen) this.out.push('/>');
    else this.out.push('</', frame.key, '>');
    this.isTagOpen = false;
  }

  finish(): Uint8Array {
    if (this.boxes !== null) addBoxStyle(this.out);
    return Buffer.from(this.out.join(''), 'utf8');
  }

  /** Returns whether a flat document has the root of a package (Pandoc). It gets the right root, so that no program shows its source. */
  private isContentAlone(key: string | null): boolean {
    return this.context.mimetype !== null && key === 'office:document-content';
  }

  private start(key: string | null, attributes: readonly OdfAttribute[]): void {
    if (key !== this.root) throw new EngineError('unreadable', 'a part of the document is not what its name says');
    const version = attributes.find((each) => each.key === 'office:version')?.value ?? '';
    this.version = /^1\.[2-9]$/.test(version) ? version : null;
  }

  private keep(key: string, attributes: readonly OdfAttribute[]): void {
    if (key === 'office:binary-data') {
      if (this.parentIsPicture()) this.hold(key, 'binary', '', '');
      else this.skip('embedded object');
      return;
    }
    const target = this.judgeTarget(key, attributes);
    if (target === 'drop') {
      this.skip(null);
      return;
    }
    if (target === 'unwrap') {
      this.frames.push(frameOf(key, 'unwrap'));
      return;
    }
    const kept = this.keptAttributes(key, attributes, target);
    if (kept === null) {
      this.skip(null);
      return;
    }
    this.write(key, attributes, kept);
  }

  private write(key: string, attributes: readonly OdfAttribute[], kept: string): void {
    const isRoot = this.frames.length === 0;
    const markup = `<${key}${isRoot ? DECLARATIONS : ''}${kept}`;
    const parent = this.frames.at(-1)?.key;
    const isProperty = parent === 'office:meta' || key === 'config:config-item';
    if (isProperty && key !== 'meta:document-statistic') {
      const name = attributes.find((each) => each.key === 'config:name')?.value ?? key;
      const type = attributes.find((each) => each.key === 'config:type')?.value ?? '';
      this.hold(key, 'hold', markup, key === 'config:config-item' ? `${type} ${name}` : key);
      return;
    }
    this.endTag();
    this.out.push(markup);
    this.isTagOpen = true;
    const isPerson = PERSON.test(key) && !this.context.keepMetadata;
    this.frames.push(frameOf(key, isPerson ? 'blank' : 'keep'));
  }

  /** The words of a control of a form, in a box at its place. */
  private writeWords(attributes: readonly OdfAttribute[]): void {
    const value = (name: string) => attributes.find(({ key }) => key === name)?.value ?? '';
    const words = this.forms.of(value('draw:control'));
    const place = attributes.filter(({ key }) => !/^draw:(?:control|text-style-name|style-name)$/.test(key));
    const kept = words === '' ? null : this.keptAttributes('draw:frame', place, null);
    if (kept === null) return;
    const style = value('draw:text-style-name');
    const named = style && ` text:style-name="${escapeValue(style)}"`;
    const lines = words.split('\n').map(escapeText).join('<text:line-break/>');
    this.endTag();
    this.boxes ??= boxStyle(this.out);
    this.out.push(
      `<draw:frame${kept}${this.boxes}><draw:text-box><text:p${named}>${lines}</text:p></draw:text-box></draw:frame>`,
    );
  }

  /**
   * Returns the target to write, `null` for an element without one, or `drop` or `unwrap` for an element whose target must not be written.
   */
  private judgeTarget(key: string, attributes: readonly OdfAttribute[]): string | null {
    const href = attributes.find((each) => each.key === 'xlink:href')?.value;
    if (href === undefined || href === '') return null;
    if (PICTURE_ELEMENTS.has(key)) {
      const name = this.context.picture(href);
      if (name === null && !/^(?:\.\/)*(?:Pictures|media)\/[^/]+$/i.test(href))
        this.note('external picture', 'removed');
      return name ?? 'drop';
    }
    const isLink = LINK_ELEMENTS.has(key);
    if (isLink || AREA_ELEMENTS.has(key)) {
      if (SAFE_IN_DOCUMENT.test(href) || isSafeLink(href)) return href;
      this.note('unsafe link', 'removed');
      return isLink ? 'unwrap' : 'drop';
    }
    this.note('linked content', 'removed');
    return 'drop';
  }

  /** Returns the markup of the attributes that stay; null when the element is useless without a removed one. */
  private keptAttributes(key: string, attributes: readonly OdfAttribute[], target: string | null): string | null {
    let markup = '';
    let lostFormula = false;
    for (const { key: name, value } of attributes) {
      const judged = name.startsWith('xlink:') ? 'drop' : judgeAttribute(name, value);
      if (judged === 'keep') markup += ` ${name}="${escapeValue(this.valueOf(name, value))}"`;
      if (judged === 'keep' || judged === 'drop') continue;
      this.note(judged, judged === 'unsafe link' ? 'removed' : 'sanitized');
      lostFormula ||= judged === 'live formula';
      // The name of a table that mirrors a sheet of another document is the address of that document.
      if (judged === 'external reference' && name === 'table:name') return null;
    }
    if (lostFormula && key === 'table:named-expression') return null;
    if (lostFormula) markup = markup.replace(/ table:number-matrix-(?:columns|rows)-spanned="[^"]*"/g, '');
    return target === null ? markup : `${markup}${linkMarkup(key, target)}`;
  }

  private valueOf(name: string, value: string): string {
    return name === 'office:mimetype' ? (this.context.mimetype ?? value) : value;
  }

  private parentIsPicture(): boolean {
    return PICTURE_ELEMENTS.has(this.frames.at(-1)?.key ?? '');
  }

  private hold(key: string, action: 'hold' | 'binary', markup: string, name: string): void {
    this.frames.push({ key, action, markup, name, held: [] });
  }

  private endHeld({ key, markup, name, held }: Frame): void {
    const text = checkedText(name, held.join(''), this.context.keepMetadata);
    if (text.kind !== null) this.note(text.kind, 'removed');
    if (text.value === null) return;
    this.endTag();
    this.out.push(markup, '>', escapeText(text.value), '</', key, '>');
  }

  private endBinary({ held }: Frame): void {
    this.endTag();
    this.out.push('<office:binary-data>', '', '</office:binary-data>');
    const at = this.out.length - 2;
    const base64 = held.join('').replace(/\s+/g, '');
    this.inline.push({ base64, put: (markup) => void this.out.splice(at, 1, markup) });
  }

  private endTag(): void {
    if (this.isTagOpen) this.out.push('>');
    this.isTagOpen = false;
  }

  private skip(kind: string | null): void {
    if (kind !== null) this.note(kind, 'removed');
    this.skipped = 1;
  }

  private noteShell(): void {
    if (this.shell !== null) this.note(this.shell, 'removed');
    this.shell = null;
  }

  private note(kind: string, action: 'removed' | 'sanitized'): void {
    this.context.log.note(kind, this.context.part, action);
  }
}

function frameOf(key: string, action: Frame['action']): Frame {
  return { key, action, markup: '', name: '', held: [] };
}

function linkMarkup(key: string, target: string): string {
  const href = ` xlink:type="simple" xlink:href="${escapeValue(target)}"`;
  return PICTURE_ELEMENTS.has(key) ? `${href} xlink:show="embed" xlink:actuate="onLoad"` : href;
}
