/**
 * The meaning of the tag that the scanner has just read: its keys by namespace, its declarations, and the content that the filter need not
 * see.
 */

import { decodeXmlValue } from './bytes.ts';
import { attribute, type XmlAttribute, type XmlElement } from './element.ts';
import { attributeKey, elementKey, NamespaceScope, type XmlName } from './name-table.ts';
import { malformed, type XmlScanner } from './scan.ts';
import type { XmlSkip, XmlSkipRules } from './skipping.ts';

/** From this many attributes on, repeats are looked up instead of compared with each other. */
const MANY_ATTRIBUTES = 16;

/** The meaning of a name until a declaration changes it. */
interface Meaning {
  readonly epoch: number;
  readonly key: string | null;
  readonly skip: XmlSkip;
  readonly isPlain: boolean;
}

/** Writes into a list that is as long as the highest name so far. It has no holes, because they would slow down every look-up. */
function mark(list: number[], id: number, value: number): void {
  while (list.length <= id) list.push(0);
  list[id] = value;
}

export class XmlNames {
  private readonly scope = new NamespaceScope();
  private readonly elements: (Meaning | undefined)[] = [];
  private readonly attributes: (Meaning | undefined)[] = [];
  /** By name: the epoch in which it was found to be plain. */
  readonly plainElements: number[] = [];
  readonly plainAttributes: number[] = [];

  constructor(
    private readonly scanner: XmlScanner,
    private readonly skipRules: XmlSkipRules,
  ) {}

  /** Changes with every change of a prefix's meaning. */
  get epoch(): number {
    return this.scope.epoch;
  }

  /** Returns whether the tag gives a prefix a new meaning. */
  hasNewDeclarations(): boolean {
    const { scanner, scope } = this;
    let isNew = false;
    for (let index = 0; index < scanner.attributeCount; index += 1) {
      const { declares } = this.attributeName(index);
      if (declares !== null && scope.changes(declares, this.value(index))) isNew = true;
    }
    return isNew;
  }

  /** Applies the tag's declarations. */
  declare(depth: number): void {
    for (let index = 0; index < this.scanner.attributeCount; index += 1) {
      const { declares } = this.attributeName(index);
      if (declares !== null && this.scope.changes(declares, this.value(index))) {
        this.scope.declare(declares, this.value(index), depth);
      }
    }
  }

  leave(depth: number): void {
    this.scope.leave(depth);
  }

  skipOfTag(): XmlSkip {
    const { scanner } = this;
    const { skip } = this.elementMeaning(scanner.nameId);
    let isPlain = true;
    for (let index = 0; index < scanner.attributeCount; index += 1) {
      if (!this.attributeMeaning(scanner.attributeIds[index] as number).isPlain) isPlain = false;
    }
    return isPlain || skip === 'whole' || skip === 'formula' ? skip : 'node';
  }

  /** Throws EngineError `unreadable` when two attributes of the tag have one name, or one name in one namespace. */
  checkRepeats(): void {
    const { attributeCount } = this.scanner;
    if (attributeCount > MANY_ATTRIBUTES) {
      this.checkManyRepeats();
      return;
    }
    for (let index = 1; index < attributeCount; index += 1) {
      const name = this.attributeName(index);
      for (let before = 0; before < index; before += 1) {
        const other = this.attributeName(before);
        if (this.expanded(name) === this.expanded(other)) throw malformed();
      }
    }
  }

  private checkManyRepeats(): void {
    const seen = new Set<string>();
    for (let index = 0; index < this.scanner.attributeCount; index += 1) {
      seen.add(this.expanded(this.attributeName(index)));
    }
    if (seen.size < this.scanner.attributeCount) throw malformed();
  }

  /** Returns the key of an attribute. Unprefixed attributes have no namespace, for any default. */
  private expanded({ prefix, local, text, declares }: XmlName): string {
    return prefix === '' || declares !== null ? text : `${this.scope.uriOf(prefix)} ${local}`;
  }

  /** Returns the tag as a node without children. */
  nodeOf(from: number): XmlElement {
    const { scanner } = this;
    const attributes: XmlAttribute[] = [];
    for (let index = 0; index < scanner.attributeCount; index += 1) {
      const { key } = this.attributeMeaning(scanner.attributeIds[index] as number);
      attributes.push({ key, name: this.attributeName(index).text, value: this.value(index) });
    }
    const name = this.nameOf(scanner.nameId).text;
    const tag = { bytes: scanner.bytes, from, to: scanner.tagEnd, isEmpty: scanner.isEmpty, name, attributes };
    return { key: this.elementMeaning(scanner.nameId).key, name, attributes, children: [], tag };
  }

  /** Returns whether an element's name has no prefix and means this key, here. */
  isUnprefixed(id: number, key: string): boolean {
    return this.nameOf(id).prefix === '' && this.elementMeaning(id).key === key;
  }

  private elementMeaning(id: number): Meaning {
    const known = this.elements[id];
    if (known !== undefined && known.epoch === this.scope.epoch) return known;
    const key = elementKey(this.nameOf(id), this.scope);
    const meaning = { epoch: this.scope.epoch, key, skip: this.skipRules.ofElement(key), isPlain: false };
    this.elements[id] = meaning;
    if (meaning.skip === 'plain' || meaning.skip === 'story') mark(this.plainElements, id, this.scope.epoch);
    return meaning;
  }

  private attributeMeaning(id: number): Meaning {
    const known = this.attributes[id];
    if (known !== undefined && known.epoch === this.scope.epoch) return known;
    const key = attributeKey(this.nameOf(id), this.scope);
    const isPlain = this.skipRules.isPlainAttribute(key);
    const meaning: Meaning = { epoch: this.scope.epoch, key, skip: 'node', isPlain };
    this.attributes[id] = meaning;
    if (isPlain && this.nameOf(id).declares === null) mark(this.plainAttributes, id, this.scope.epoch);
    return meaning;
  }

  private attributeName(index: number): XmlName {
    return this.nameOf(this.scanner.attributeIds[index] as number);
  }

  private nameOf(id: number): XmlName {
    const name = this.scanner.table.names[id];
    if (name === undefined) throw malformed();
    return name;
  }

  private value(index: number): string {
    const { bytes, valueFrom, valueTo } = this.scanner;
    return decodeXmlValue(bytes, valueFrom[index] as number, valueTo[index] as number);
  }
}

/** Whether the reader is in the code of a Word field (begin, code, separate, result, end; nested). */
export class FieldState {
  private readonly open: boolean[] = [];
  private inCode = 0;

  isInCode(): boolean {
    return this.inCode > 0;
  }

  see(node: XmlElement): void {
    if (node.key !== 'w:fldChar') return;
    const kind = attribute(node, 'w:fldCharType');
    if (kind === 'begin') {
      this.open.push(true);
      this.inCode += 1;
      return;
    }
    if (this.open.at(-1) === true) {
      this.open[this.open.length - 1] = false;
      this.inCode -= 1;
    }
    if (kind === 'end') this.open.pop();
  }
}
