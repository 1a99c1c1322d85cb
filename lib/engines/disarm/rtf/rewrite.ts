/**
 * Rewrites an RTF document from its tokens: known destinations, known words, text in one character set. Everything else is left out.
 * An object and a denied field leave their result, and a drawing leaves its text and pictures.
 */
import { EngineError, type EngineLimits } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';
import { labelOf, placeFieldCode } from './fields.ts';
import { GroupText } from './group-text.ts';
import { addLevel, childFrame, enterPending, type Frame, isContainer, rootFrame } from './groups.ts';
import { type FoundPicture, pictureData, placePicture } from './picture.ts';
import { colorTable } from './tables.ts';
import type { TextReader } from './text-reader.ts';
import { type RtfSink, readRtf } from './tokens.ts';
import { type Destination, destinationOf, isStyleKind } from './words.ts';
import { HEADER, rtfWriter } from './writer.ts';

export interface RewriteOptions {
  readonly limits: EngineLimits;
  readonly log: RemovalLog;
  readonly keepMetadata: boolean;
}

export interface RewrittenRtf {
  /** Pictures to be encoded anew before `finish`. */
  readonly pictures: readonly FoundPicture[];
  /** The offset after the document in the input. */
  readonly end: number;
  readonly finish: () => string;
}

/** Reads the document that starts at `from` (its opening brace). Throws EngineError `oversize` when groups nest too deep. */
export function rewriteRtf(bytes: Uint8Array, from: number, options: RewriteOptions): RewrittenRtf {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const rewriter = new Rewriter(source, options);
  const end = readRtf(source, from, rewriter);
  return { pictures: rewriter.pictures, end, finish: () => rewriter.finish() };
}

class Rewriter implements RtfSink {
  readonly pictures: FoundPicture[] = [];
  private readonly writer = rtfWriter();
  private readonly content: GroupText;
  private readonly reader: TextReader;
  private readonly frames: Frame[] = [];
  private top: Frame = rootFrame();
  /** The number of open braces inside of the content that is being left out; 0 when nothing is left out. */
  private skipped = 0;
  private isHexLeftOut = false;

  constructor(
    private readonly source: string,
    private readonly options: RewriteOptions,
  ) {
    this.content = new GroupText(this.writer, options.log);
    this.reader = this.content.reader;
  }

  open(): void {
    this.reader.endFallback();
    if (this.skipped > 0) {
      this.skipped += 1;
      return;
    }
    this.content.flush(this.top);
    const { depth } = this.options.limits;
    if (this.frames.length >= depth) throw new EngineError('oversize', `groups are nested more than ${depth} deep`);
    this.top.atStart = false;
    const isRoot = this.frames.length === 0;
    const frame = isRoot ? rootFrame() : childFrame(this.top);
    this.frames.push(frame);
    this.top = frame;
    this.writer.push(isRoot ? HEADER : '{');
    // A document that loses everything is still a document.
    if (isRoot) this.writer.hold();
  }

  close(): void {
    this.reader.endFallback();
    if (this.skipped > 1) {
      this.skipped -= 1;
      return;
    }
    if (this.skipped === 0) this.content.flush(this.top);
    this.skipped = 0;
    const frame = this.frames.pop();
    this.top = this.frames.at(-1) ?? rootFrame();
    if (frame === undefined) return;
    // Pictures, tables and field codes are written after their own group, which stays empty.
    if (frame.label !== '' && this.writer.isEmpty()) this.writer.text(frame.label);
    this.writer.pop();
    this.end(frame);
  }

  word(word: string, parameter: number | null): void {
    if (this.skipped > 0 || this.reader.isFallback()) return;
    if (word === 'u' && parameter !== null) {
      this.content.flush(this.top);
      if (!Number.isNaN(parameter)) this.content.put(this.top, String.fromCharCode(parameter & 0xffff));
      this.reader.startFallback(this.top.state);
      return;
    }
    this.content.flush(this.top);
    const { top: frame } = this;
    const destination = destinationOf(word, this.options.keepMetadata);
    if (frame.mode === 'pending') this.enterPending(frame, word, destination);
    else if (isContainer(frame.mode)) return;
    else if (destination !== null) this.enter(frame, word, destination);
    else if (frame.starred && frame.atStart && !isStyleKind(word)) this.leaveOut('unknown destination', word);
    else this.content.format(frame, this.frames.length === 1, word, parameter);
    frame.atStart = false;
  }

  symbol(code: number): void {
    if (this.skipped > 0) return;
    const symbol = String.fromCharCode(code);
    if (symbol === '*') this.top.starred ||= this.top.atStart;
    if (symbol === '*' || this.reader.isFallback()) return;
    this.top.atStart = false;
    if (/[\\{}]/.test(symbol)) {
      this.reader.add(symbol);
      return;
    }
    this.content.flush(this.top);
    if (this.top.mode === 'instruction')
      this.content.put(this.top, /[~\s]/.test(symbol) ? ' ' : symbol === '_' ? '-' : '');
    if (this.top.mode !== 'text') return;
    if (/[~_-]/.test(symbol)) this.writer.symbol(symbol);
    else if (/[\r\n]/.test(symbol)) this.writer.word('par', null);
    else if (symbol === '\t') this.writer.word('tab', null);
  }

  byte(value: number): void {
    if (this.skipped > 0 || this.top.mode === 'picture') return;
    this.top.atStart = false;
    const character = String.fromCharCode(value);
    // Programs break the line at these bytes as at the signs. No character of several bytes has them.
    if (this.top.mode === 'text' && /[\t\n\r]/.test(character)) this.symbol(value);
    else this.reader.add(character);
  }

  text(from: number, to: number): void {
    if (this.skipped > 0) return;
    const { top } = this;
    top.atStart = false;
    const raw = this.source.slice(from, to);
    this.isHexLeftOut &&= /^[\s\da-f]*$/i.test(raw);
    if (top.mode === 'picture') top.picture?.hex.push(raw);
    else if (!isContainer(top.mode) && !this.isHexLeftOut) this.reader.add(raw);
  }

  binary(from: number, to: number): void {
    if (this.skipped > 0 || from === to || this.reader.isFallback()) return;
    this.top.atStart = false;
    if (this.top.mode === 'picture') this.top.picture?.binary.push(Buffer.from(this.source.slice(from, to), 'latin1'));
    else this.options.log.note('raw binary data', 'bin');
  }

  finish(): string {
    while (this.frames.length > 0) this.close();
    return this.writer.finish();
  }

  /** Takes the first word of a group inside an object, a drawing, a field or a picture. Only the groups that show something stay. */
  private enterPending(frame: Frame, word: string, destination: Destination | null): void {
    const entry = enterPending(frame.within, word, destination);
    if ('drop' in entry) {
      this.leaveOut(entry.drop, word);
      return;
    }
    frame.mode = entry.mode;
    if (destination?.mode === 'drop') this.options.log.note(destination.kind ?? word, word);
    if (entry.mode === 'picture') frame.picture = pictureData();
    if (entry.mode === 'instruction') Object.assign(frame, { code: { text: '', hasField: false }, isOwner: true });
    // A text box starts a paragraph, so that its first words do not continue the sentence at which it is anchored.
    if (entry.mode === 'text' && frame.within === 'shape' && this.content.isInParagraph) this.writer.word('par', null);
    const parent = this.frames.at(-2);
    if (word !== 'fldrslt' || parent?.mode !== 'field') return;
    if (parent.field === 'kept') this.writer.rename('{\\fldrslt');
    parent.field = 'closed';
  }

  /** Takes a word that starts a destination in a group of text, of a code or of a table. */
  private enter(frame: Frame, word: string, destination: Destination): void {
    // The group of the whole document must not become the destination, because the rest of the document would be lost with it. Only the
    // digits after the word of an object are left out.
    if (!frame.atStart && this.frames.length === 1) {
      this.isHexLeftOut = /^obj/i.test(word);
      return;
    }
    if (frame.mode === 'instruction' && destination.mode !== 'text') {
      if (destination.mode === 'field' && frame.code !== null) frame.code.hasField = true;
      this.leaveOut(destination.mode === 'drop' ? destination.kind : null, word);
      return;
    }
    if (frame.mode === 'time') {
      this.leaveOut('unknown destination', word);
      return;
    }
    switch (destination.mode) {
      case 'drop':
      case 'instruction':
        this.leaveOut(destination.mode === 'drop' ? destination.kind : 'field code', word);
        return;
      case 'text':
        this.startText(frame, destination);
        return;
      default:
        frame.mode = destination.mode;
        frame.isOwner = destination.mode === 'fonts' || destination.mode === 'colors';
        if (destination.mode === 'picture') frame.picture = pictureData();
        if (destination.mode === 'colors') frame.colors = colorTable();
        this.noteLoss(word);
    }
  }

  /**
   * Notes the removed content of a group. A drawing of Word 95 has its lines here. Newer drawings have properties in their own groups.
   */
  private noteLoss(word: string): void {
    if (word === 'object') this.options.log.note('embedded object', word);
    if (word === 'do') this.options.log.note('drawing property', word);
  }

  private startText(frame: Frame, destination: Extract<Destination, { mode: 'text' }>): void {
    if (destination.isList === 'level' && !addLevel(this.frames.at(-2))) {
      this.leaveOut('list with too many levels', 'list');
      return;
    }
    if (destination.isList === 'bytes' || destination.isList === 'time') frame.mode = destination.isList;
    if (frame.atStart && this.writer.rename(destination.prefix) && destination.staysEmpty) this.writer.hold();
  }

  private leaveOut(kind: string | null, where: string): void {
    if (kind !== null) this.options.log.note(kind, where);
    this.skipped = 1;
  }

  /** Writes the picture, the field code or the table of a group. */
  private end(frame: Frame): void {
    if (frame.picture !== null) {
      const found = placePicture(frame.picture, this.writer, this.options.log);
      if (found !== null) this.pictures.push(found);
    }
    if (!frame.isOwner) return;
    if (frame.mode === 'instruction' && frame.code !== null) {
      const field = this.top;
      const isOpen = field.mode === 'field' && field.field === 'open';
      if (isOpen && placeFieldCode(frame.code, this.writer, this.options.log)) field.field = 'kept';
      else if (isOpen) field.label = labelOf(frame.code);
      return;
    }
    const markup = frame.mode === 'colors' ? frame.colors?.finish() : this.content.fonts.finish();
    if (markup !== undefined && markup !== '') this.writer.raw(markup);
  }
}
