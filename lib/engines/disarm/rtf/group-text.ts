/** Writes the text and the formatting words of a group to the place of its mode: the document, a table, or a field code. */
import type { RemovalLog } from '../removals.ts';
import type { Frame } from './groups.ts';
import { fontTable } from './tables.ts';
import { glyphsOf, TextReader } from './text-reader.ts';
import {
  codePageOfWord,
  ENDS_PARAGRAPH,
  FORMATTING_WORDS,
  isSafeParameter,
  PICTURE_WORDS,
  TIME_WORDS,
} from './words.ts';
import type { RtfWriter } from './writer.ts';

export class GroupText {
  readonly fonts = fontTable();
  readonly reader = new TextReader((font) => this.fonts.charsetOf(font));
  isInParagraph = false;
  private defaultFont = -1;

  constructor(
    private readonly writer: RtfWriter,
    private readonly log: RemovalLog,
  ) {}

  /** Writes the bytes that were read since the last call. */
  flush(frame: Frame): void {
    const raw = this.reader.takeRaw();
    if (raw === '') return;
    const { mode, state } = frame;
    if (mode === 'bytes') this.writer.glyphs(raw);
    else if (mode === 'text' && this.reader.isSymbol(state)) this.writer.glyphs(glyphsOf(raw));
    else if (mode === 'fonts') this.fonts.text(this.reader.decode(raw, state, this.fonts.charset()));
    else this.put(frame, this.reader.decode(raw, state));
  }

  /** Writes decoded text. */
  put({ mode, code, colors }: Frame, text: string): void {
    this.isInParagraph ||= mode === 'text';
    if (mode === 'text' || mode === 'bytes') this.writer.text(text);
    else if (mode === 'time') this.writer.text(text.replace(/[^\d-]/g, ''));
    else if (mode === 'instruction' && code !== null) code.text += text;
    else if (mode === 'fonts') this.fonts.text(text);
    else if (mode === 'colors') colors?.text(text);
  }

  /** Takes a word that starts no destination. */
  format(frame: Frame, isRoot: boolean, word: string, parameter: number | null): void {
    switch (frame.mode) {
      case 'picture':
        if (PICTURE_WORDS.has(word) && parameter !== null) frame.picture?.words.set(word, parameter);
        return;
      case 'fonts':
        this.fonts.word(word, parameter);
        return;
      case 'colors':
        frame.colors?.word(word, parameter);
        return;
      case 'instruction':
        if (/^(par|line|tab|cell)$/.test(word)) this.put(frame, ' ');
        return;
      case 'time':
        if (TIME_WORDS.has(word) && parameter !== null && isSafeParameter(word, parameter))
          this.writer.word(word, parameter);
        return;
      case 'text':
      case 'bytes':
        if (isRoot) this.reader.setCodePage(word === 'ansicpg' ? parameter : codePageOfWord(word));
        this.formatText(frame, word, parameter);
    }
  }

  private formatText(frame: Frame, word: string, parameter: number | null): void {
    if (word === 'uc') frame.state.fallback = Math.max(0, parameter ?? 1) || 0;
    if (!FORMATTING_WORDS.has(word)) return;
    if (!isSafeParameter(word, parameter)) {
      this.log.note('number out of range', word);
      return;
    }
    if (word === 'deff') this.defaultFont = parameter ?? 0;
    if (word === 'f' && parameter !== null) frame.state.font = parameter;
    if (word === 'plain' || word === 'deff') frame.state.font = this.defaultFont;
    if (frame.starred && frame.atStart) this.writer.rename('{\\*');
    if (ENDS_PARAGRAPH.has(word)) this.isInParagraph = false;
    this.writer.word(word, parameter);
  }
}
