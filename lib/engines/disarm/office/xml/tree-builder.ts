/**
 * Builds the tree of one part out of the scanner's tokens. An element becomes a node only when something about it must be seen;
 * then its ancestors do too. Everything between nodes stays a range of the checked bytes.
 */
import { EngineError, type EngineLimits } from '../../../engine.ts';
import type { XmlElement } from './element.ts';
import { FieldState, XmlNames } from './meaning.ts';
import { type Frame, newFrame } from './open-element.ts';
import { checkBlank, checkInstruction } from './outside-markup.ts';
import { passFormula } from './pass-formula.ts';
import { PlainTags } from './plain.ts';
import { addRange, XmlRanges } from './ranges.ts';
import { LT, malformed, SLASH, type Token, XmlScanner } from './scan.ts';
import type { XmlSkip, XmlSkipRules } from './skipping.ts';
import { serializeBytes } from './write.ts';

/**
 * The most nodes of a part of millions of tiny elements. Each costs some 300 bytes of heap, so this many use less than half a worker's
 * memory.
 */
const MAX_LIVE_NODES = 1_500_000;

/** Returns the tree of a part's bytes, without what the rules let it skip. Throws like `parseXml`. */
export function buildTree(bytes: Buffer, limits: EngineLimits, skipRules: XmlSkipRules): XmlElement {
  return new TreeBuilder(bytes, limits, skipRules).build();
}

class TreeBuilder {
  private readonly scanner: XmlScanner;
  private readonly names: XmlNames;
  private readonly tags: PlainTags;
  private readonly view: DataView;
  private readonly ranges: XmlRanges;
  private readonly fields = new FieldState();
  private readonly frames: Frame[] = [];
  /** Closed elements, to be used again. A document opens millions of elements, but few at a time. */
  private readonly spares: Frame[] = [];
  /** Names of the elements so far whose content is never skipped. */
  private readonly scannedNames: boolean[] = [];
  private root: XmlElement | null = null;
  /** Depth of the element whose content is not skipped; -1 when there is none. */
  private wholeDepth = -1;
  private elementCount = 0;
  private liveNodes = 0;
  /** The offset after the last markup outside of the root. */
  private outsideFrom = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly limits: EngineLimits,
    private readonly skipRules: XmlSkipRules,
  ) {
    this.scanner = new XmlScanner(bytes);
    this.names = new XmlNames(this.scanner, skipRules);
    this.tags = new PlainTags(this.scanner, this.names);
    this.ranges = new XmlRanges(bytes);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  build(): XmlElement {
    const { scanner } = this;
    for (let token: Token = scanner.next(); token !== 'end'; token = scanner.next()) {
      if (this.frames.length === 0) checkBlank(this.bytes, this.outsideFrom, scanner.markupAt);
      if (token === 'open') this.open(scanner.markupAt);
      else if (token === 'close') this.close(scanner.markupAt, scanner.nameId);
      else this.leaveOut();
      if (this.skipRules.passOver !== null) this.passOver(this.skipRules.passOver);
      this.passPlain();
      if (this.frames.length === 0) this.outsideFrom = scanner.at;
    }
    checkBlank(this.bytes, this.outsideFrom, this.bytes.length);
    if (this.frames.length > 0 || this.root === null) throw malformed();
    return this.root;
  }

  /** Skips elements that the caller does not have to see, and the text between them, if their names are known. */
  private passPlain(): void {
    const { frames, scanner, bytes } = this;
    if (this.wholeDepth >= 0 || frames.length === 0 || this.fields.isInCode()) return;
    for (;;) {
      const from = scanner.behindText(scanner.at);
      if (bytes[from] !== LT) return;
      const isPassed = bytes[from + 1] === SLASH ? this.passClosing(from) : this.passOpening(from);
      if (!isPassed) return;
      if (this.skipRules.passOver !== null) this.passOver(this.skipRules.passOver);
    }
  }

  private passOpening(from: number): boolean {
    const { scanner, tags } = this;
    const to = this.frames.length < this.limits.depth ? tags.behindTag(from) : -1;
    if (to === -1) return false;
    scanner.at = to;
    this.elementCount += 1;
    if (!tags.isEmpty) this.push(this.frameOf(from, tags.nameId));
    return true;
  }

  private passClosing(from: number): boolean {
    const frame = this.frames[this.frames.length - 1] as Frame;
    const to = frame.node === null ? this.tags.behindClosing(from, frame.tagFrom) : -1;
    if (to === -1) return false;
    this.scanner.at = to;
    this.drop(frame);
    return true;
  }

  /** Skips elements of a narrow form that stay unchanged, without a token for each. They have one more level, and no namespaces. */
  private passOver({ inside, behind }: NonNullable<XmlSkipRules['passOver']>): void {
    const frame = this.frames[this.frames.length - 1];
    if (frame === undefined || this.scannedNames[frame.nameId] === true) return;
    if (!this.names.isUnprefixed(frame.nameId, inside)) {
      while (this.scannedNames.length <= frame.nameId) this.scannedNames.push(false);
      this.scannedNames[frame.nameId] = true;
      return;
    }
    if (this.wholeDepth >= 0 || this.frames.length + 2 > this.limits.depth || this.fields.isInCode()) return;
    const to = behind(this.bytes, this.scanner.at, this.view);
    if (to === this.scanner.at) return;
    this.scanner.at = to;
    this.elementCount += 1;
  }

  /** Handles comments and processing instructions. */
  private leaveOut(): void {
    const { markupAt, at } = this.scanner;
    checkInstruction(this.bytes, markupAt, at);
    if (this.frames.length === 0) return;
    this.count(1);
    this.ranges.leaveOut(markupAt, at);
  }

  private open(from: number): void {
    const { scanner, names, frames } = this;
    if (frames.length === 0 && this.root !== null) throw malformed();
    if (frames.length >= this.limits.depth) {
      throw new EngineError('oversize', `elements are nested more than ${this.limits.depth} deep`);
    }
    const isDeclaring = names.hasNewDeclarations();
    // The meaning of the names of the open elements must be fixed before a declaration changes it.
    const skip = isDeclaring ? this.declare(from) : this.skipOf(names.skipOfTag());
    names.checkRepeats();
    if (skip === 'formula' && frames.length > 0 && passFormula(scanner, this.ranges, this.skipRules, from)) {
      this.elementCount += 1;
      return;
    }
    const isPlain = skip === 'plain' && frames.length > 0;
    if (isPlain && scanner.isEmpty) {
      this.elementCount += 1;
      return;
    }
    if (!isPlain && !isDeclaring) this.showAncestors(from);
    this.elementCount += 1;
    const frame = this.frameOf(from, scanner.nameId);
    this.push(frame);
    if (!isPlain) this.show(frame, frames.at(-2), skip);
    if (scanner.isEmpty) this.close(scanner.at, frame.nameId);
  }

  private push(frame: Frame): void {
    this.frames.push(frame);
    this.scanner.expected = frame.nameId;
  }

  private frameOf(tagFrom: number, nameId: number): Frame {
    const frame = this.spares.pop() ?? newFrame();
    frame.nameId = nameId;
    frame.tagFrom = tagFrom;
    frame.elementsAtOpen = this.elementCount;
    frame.contentFrom = this.scanner.at;
    frame.elementsBefore = this.elementCount;
    frame.nodesBefore = this.liveNodes;
    return frame;
  }

  private declare(from: number): XmlSkip {
    this.showAncestors(from);
    this.names.declare(this.frames.length);
    const skip = this.skipOf(this.names.skipOfTag());
    if (skip === 'plain') return 'node';
    // An element that is removed from around its content takes its declarations along, so that content must be seen.
    return this.frames.length > 0 ? 'whole' : skip;
  }

  private skipOf(asked: XmlSkip): XmlSkip {
    if (this.wholeDepth >= 0) return 'node';
    if (asked === 'story') return this.fields.isInCode() ? 'whole' : 'plain';
    return asked;
  }

  /** Makes nodes of the open elements, and reads the tag at `from` again. */
  private showAncestors(from: number): void {
    const { frames, scanner } = this;
    let parent: Frame | undefined;
    let hasRead = false;
    for (const frame of frames) {
      if (frame.node === null) {
        scanner.openTag(frame.tagFrom);
        this.show(frame, parent, 'node');
        hasRead = true;
      }
      parent = frame;
    }
    if (hasRead) scanner.openTag(from);
  }

  /** Makes a node of an open element whose tag the scanner has just read. */
  private show(frame: Frame, parent: Frame | undefined, skip: XmlSkip): void {
    const { scanner, names } = this;
    const node = names.nodeOf(frame.tagFrom);
    frame.nodesBefore = this.liveNodes;
    this.count(1 + node.attributes.length);
    frame.node = node;
    frame.contentFrom = scanner.at;
    frame.elementsBefore = frame.elementsAtOpen;
    if (parent === undefined) this.root = node;
    else this.take(parent, frame.tagFrom, frame.elementsAtOpen - 1);
    parent?.node?.children.push(node);
    this.fields.see(node);
    if ((skip === 'whole' || skip === 'formula') && this.wholeDepth < 0) this.wholeDepth = this.frames.indexOf(frame);
  }

  /** Adds the content of an element up to `to` that is not yet among its children. */
  private take({ node, contentFrom, elementsBefore }: Frame, to: number, elements: number): void {
    if (node !== null && to > contentFrom) this.ranges.take(node.children, contentFrom, to, elements > elementsBefore);
  }

  private close(contentTo: number, nameId: number): void {
    const frame = this.frames[this.frames.length - 1];
    if (frame === undefined || frame.nameId !== nameId) throw malformed();
    this.take(frame, contentTo, this.elementCount);
    const { node } = frame;
    this.drop(frame);
    const depth = this.frames.length;
    if (node !== null) this.leave(frame, node);
    if (this.wholeDepth === depth) this.wholeDepth = -1;
    this.names.leave(depth);
  }

  private drop(frame: Frame): void {
    const { frames } = this;
    frames.pop();
    this.scanner.expected = frames[frames.length - 1]?.nameId ?? -1;
    frame.node = null;
    this.spares.push(frame);
  }

  private leave(frame: Frame, node: XmlElement): void {
    const parent = this.frames.at(-1);
    if (parent === undefined) return;
    if (parent.node !== null && node.key !== null && this.skipRules.rows.has(node.key)) {
      this.reduce(frame, node, parent.node);
    }
    parent.contentFrom = this.scanner.at;
    parent.elementsBefore = this.elementCount;
  }

  private reduce(frame: Frame, node: XmlElement, parent: XmlElement): void {
    const { at } = this.scanner;
    const markup = Buffer.from(serializeBytes(this.skipRules.reduce(node)));
    parent.children.pop();
    const isUnchanged = markup.compare(this.bytes, frame.tagFrom, at) === 0;
    if (isUnchanged) addRange(parent.children, this.bytes, frame.tagFrom, at);
    else addRange(parent.children, markup, 0, markup.length);
    this.liveNodes = frame.nodesBefore;
    this.count(1);
  }

  private count(nodes: number): void {
    this.liveNodes += nodes;
    if (this.liveNodes > MAX_LIVE_NODES) {
      throw new EngineError('oversize', 'a part of the document has too many elements');
    }
  }
}
