/** Reads OpenDocument XML as a stream of elements and text, without a tree in memory. Namespaces are resolved to fixed prefixes. */
import { EngineError, type EngineLimits } from '../../engine.ts';
import { decodeXmlText, decodeXmlValue, utf8Xml } from '../office/xml/bytes.ts';
import { NamespaceScope } from '../office/xml/name-table.ts';
import { malformed, XmlScanner } from '../office/xml/scan.ts';
import { MANIFEST_URI, odfPrefixOf } from './vocabularies.ts';

export interface OdfAttribute {
  /** Fixed prefix and local name. */
  readonly key: string;
  readonly value: string;
}

export interface OdfSink {
  /**
   * Handles an element. `key` is null for an element of an unknown namespace. Attributes of one are left out, and `unknown` says that there
   * were any.
   */
  open(key: string | null, attributes: readonly OdfAttribute[], unknown: boolean): void;
  text(text: string): void;
  close(): void;
}

const DOCTYPE = /^(?:\ufeff)?(<\?xml[^>]{0,200}\?>\s*)?<!DOCTYPE\s[^[>]{1,500}>/;

/**
 * Removes the document type declaration from a manifest of the first OpenDocument programs, and declares the namespace that its DTD would
 * declare. No program loads that DTD.
 */
export function withoutManifestDoctype(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).toString('latin1');
  const found = DOCTYPE.exec(head)?.[0];
  if (found === undefined) return bytes;
  const rest = bytes.subarray(found.length);
  const start = /^\s*<manifest:manifest(?![^>]*xmlns:manifest)/.exec(head.slice(found.length))?.[0];
  if (start === undefined) return rest;
  const declared = `<manifest:manifest xmlns:manifest="${MANIFEST_URI}"`;
  return Buffer.concat([Buffer.from(declared, 'latin1'), rest.subarray(start.length)]);
}

/**
 * Reads one part. Throws EngineError `unreadable` (not well-formed, DOCTYPE, an encoding other than UTF-8 and UTF-16) or
 * `oversize` (too deep, too many attributes or names).
 */
export function readOdfXml(bytes: Uint8Array, limits: EngineLimits, sink: OdfSink): void {
  const source = utf8Xml(bytes);
  checkDeclaration(source);
  new OdfReader(source, limits, sink).read();
}

function checkDeclaration(source: Buffer): void {
  const declared = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"']{0,40})["']/.exec(
    source.toString('latin1', 0, 300),
  )?.[1];
  if (declared !== undefined && !/^utf-?(8|16(le|be)?)$/i.test(declared)) {
    throw new EngineError('unreadable', 'a part of the document is in an encoding other than UTF-8 and UTF-16');
  }
}

class OdfReader {
  private readonly scanner: XmlScanner;
  private readonly scope = new NamespaceScope();
  private readonly open: number[] = [];
  private hadRoot = false;
  /** The key of each name, and the state of the namespaces (`epochs`) for which it was found. */
  private readonly keys: (string | null)[] = [];
  private readonly epochs: number[] = [];

  constructor(
    private readonly source: Buffer,
    private readonly limits: EngineLimits,
    private readonly sink: OdfSink,
  ) {
    this.scanner = new XmlScanner(source);
  }

  read(): void {
    const { scanner } = this;
    for (;;) {
      const from = scanner.at;
      const token = scanner.next();
      this.text(from, scanner.markupAt);
      if (token === 'end') break;
      if (token === 'open') this.openElement();
      else if (token === 'close') this.closeElement(scanner.nameId);
    }
    if (this.open.length > 0 || !this.hadRoot) throw malformed();
  }

  private text(from: number, to: number): void {
    if (from >= to) return;
    const isOutside = this.open.length === 0;
    const text = this.decode(from, to);
    if (!isOutside) this.sink.text(text);
    else if (/\S/.test(text)) throw malformed();
  }

  /** Returns the text of a range. CDATA sections lose their marks, and references in them are not resolved. */
  private decode(from: number, to: number): string {
    let text = '';
    let at = from;
    for (;;) {
      const start = this.source.subarray(at, to).indexOf('<![CDATA[', 0, 'latin1');
      if (start === -1) return text + decodeXmlText(this.source, at, to);
      const end = this.source.indexOf(']]>', at + start, 'latin1');
      text += decodeXmlText(this.source, at, at + start);
      text += this.source.toString('utf8', at + start + 9, end).replace(/\r\n?/g, '\n');
      at = end + 3;
    }
  }

  private openElement(): void {
    const { scanner, scope, open } = this;
    if (open.length >= this.limits.depth) {
      throw new EngineError('oversize', `elements are nested more than ${this.limits.depth} deep`);
    }
    if (open.length === 0 && this.hadRoot) throw malformed();
    this.hadRoot = true;
    const { nameId, attributeCount } = scanner;
    open.push(nameId);
    for (let index = 0; index < attributeCount; index += 1) {
      const { declares } = this.nameOf(scanner.attributeIds[index] ?? 0);
      if (declares === null) continue;
      const uri = this.valueAt(index);
      if (scope.changes(declares, uri)) scope.declare(declares, uri, open.length);
    }
    const attributes: OdfAttribute[] = [];
    const unknown = this.readAttributes(attributes);
    this.sink.open(this.keyOf(nameId, false), attributes, unknown);
    if (scanner.isEmpty) this.closeElement(nameId);
  }

  private readAttributes(into: OdfAttribute[]): boolean {
    const { scanner } = this;
    const seen = new Set<number | string>();
    let unknown = false;
    for (let index = 0; index < scanner.attributeCount; index += 1) {
      const id = scanner.attributeIds[index] ?? 0;
      if (seen.has(id)) throw malformed();
      seen.add(id);
      if (this.nameOf(id).declares !== null) continue;
      const key = this.keyOf(id, true);
      // With two prefixes for one namespace, one attribute could have two values.
      if (key !== null && seen.has(key)) throw malformed();
      if (key === null) unknown = true;
      else {
        seen.add(key);
        into.push({ key, value: this.valueAt(index) });
      }
    }
    return unknown;
  }

  private valueAt(index: number): string {
    return decodeXmlValue(this.source, this.scanner.valueFrom[index] ?? 0, this.scanner.valueTo[index] ?? 0);
  }

  private nameOf(id: number) {
    const name = this.scanner.table.names[id];
    if (name === undefined) throw malformed();
    return name;
  }

  private keyOf(id: number, isAttribute: boolean): string | null {
    const name = this.nameOf(id);
    if (isAttribute && name.prefix === '') return null;
    if (this.epochs[id] === this.scope.epoch) return this.keys[id] ?? null;
    // A prefix without a declaration belongs to an unknown namespace. People shorten flat documents by hand, and programs open them.
    const prefix = odfPrefixOf(this.scope.find(name.prefix) ?? '');
    const key = prefix === null ? null : `${prefix}:${name.local}`;
    this.keys[id] = key;
    this.epochs[id] = this.scope.epoch;
    return key;
  }

  private closeElement(nameId: number): void {
    if (this.open.at(-1) !== nameId) throw malformed();
    this.scope.leave(this.open.length);
    this.open.pop();
    this.sink.close();
  }
}
