/** Ranges of a part's bytes as children of a node: text as text, and unchanged markup, without the omitted ranges. */

import { decodeXmlText } from './bytes.ts';
import type { XmlNode } from './element.ts';

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Adds markup to the children of a node, and joins it to the preceding range when the two meet. */
export function addRange(children: XmlNode[], bytes: Buffer, from: number, to: number): void {
  const last = children.at(-1);
  if (typeof last === 'object' && 'from' in last && last.bytes === bytes && last.to === from) last.to = to;
  else if (to > from) children.push({ bytes, from, to });
}

export class XmlRanges {
  /** The omitted ranges that are still ahead, in order. */
  private cuts: Range[] = [];

  constructor(private readonly bytes: Buffer) {}

  leaveOut(from: number, to: number): void {
    this.cuts.push({ from, to });
  }

  /** Adds a range as children. Ranges come in order. A range without an element is text. */
  take(children: XmlNode[], from: number, to: number, hasElements: boolean): void {
    for (const piece of this.pieces(from, to)) {
      if (hasElements) addRange(children, this.bytes, piece.from, piece.to);
      else if (piece.to > piece.from) children.push(this.text(piece));
    }
  }

  /** Returns the text of a formula; null when it is put together in a way that no program writes. */
  formulaText(from: number, to: number): string | null {
    const markup = this.bytes.indexOf(0x3c, from);
    return markup === to ? decodeXmlText(this.bytes, from, to) : null;
  }

  private pieces(from: number, to: number): readonly Range[] {
    if (this.cuts.length === 0) return [{ from, to }];
    const pieces: Range[] = [];
    let at = from;
    let passed = 0;
    for (const cut of this.cuts) {
      if (cut.from >= to) break;
      passed += 1;
      pieces.push({ from: at, to: cut.from });
      at = cut.to;
    }
    // Usually there are none. A part with them costs a copy per node, and comments are counted as nodes.
    this.cuts = passed === this.cuts.length ? [] : this.cuts.slice(passed);
    return [...pieces, { from: at, to }];
  }

  private text({ from, to }: Range): string {
    const { bytes } = this;
    let text = '';
    let at = from;
    for (;;) {
      // The search ends with the text. A search to the end of the part, for each of thousands of texts, takes minutes.
      const found = bytes.subarray(at, to).indexOf('<![CDATA[', 0, 'latin1');
      if (found === -1) return text + decodeXmlText(bytes, at, to);
      const start = at + found;
      const end = bytes.indexOf(']]>', start, 'latin1');
      text += decodeXmlText(bytes, at, start);
      text += bytes.toString('utf8', start + 9, end).replace(/\r\n?/g, '\n');
      at = end + 3;
    }
  }
}
