/**
 * Names of one XML part, each with a number, and the namespaces in scope. The meaning of a name is computed once and remembered until a
 * namespace declaration changes it. So a sheet of a million cells costs no look-up by text.
 */
import { EngineError } from '../../../engine.ts';
import { prefixOf } from './vocabulary.ts';

/** The most names of a part. With hundreds of thousands of different names every look-up would miss. Office writes some hundreds. */
export const MAX_NAMES = 20_000;
/** A limit against names that an attacker chose to fall into one place of the table. */
const MAX_PROBES = 64;
/** Slots of a new table: most parts have some dozens of names, and a presentation has hundreds of parts. */
const FIRST_SLOTS = 256;
/** More slots than names, so that look-ups stay short. */
const SLOTS_PER_NAME = 4;

const XML_URI = 'http://www.w3.org/XML/1998/namespace';
const XMLNS_URI = 'http://www.w3.org/2000/xmlns/';

/** A name as XML and its namespaces have it, ASCII or not (XML 1.0, 2.3; Namespaces in XML, 4). */
const START = 'A-Z_a-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f';
const WIDE = '\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}';
const PART = `[${START}${WIDE}][${START}${WIDE}\\-.0-9\\xb7\\u0300-\\u036f\\u203f-\\u2040]*`;
const NAME = new RegExp(`^(?:(${PART}):)?(${PART})$`, 'u');

export interface XmlName {
  readonly text: string;
  readonly prefix: string;
  readonly local: string;
  readonly bytes: Uint8Array;
  /** The prefix that this attribute declares, '' for the default namespace; null when it is no declaration. */
  readonly declares: string | null;
}

/** The names of one part. */
export class NameTable {
  readonly names: XmlName[] = [];
  /** By name: equal for names of one local part, with any prefixes. */
  readonly localIds: number[] = [];
  readonly hashes: number[] = [];
  /** By name: its first place. */
  readonly starts: number[] = [];
  /** By hash, or the next free place: the number of the name; -1 for none. */
  slots = new Int32Array(FIRST_SLOTS).fill(-1);
  mask = FIRST_SLOTS - 1;
  private readonly others = new Map<string, number>();
  private readonly locals = new Map<string, number>();

  /** Returns the number of the name at `from`..`to`. Throws EngineError `unreadable` when it is none, `oversize` for too many. */
  idOf(bytes: Buffer, from: number, to: number, hash: number): number {
    const { slots, hashes, mask } = this;
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      const id = slots[(hash + probe) & mask] as number;
      if (id === -1) return this.add(bytes, from, to, hash);
      if (hashes[id] === hash && this.isAt(id, bytes, from, to)) return id;
    }
    return this.others.get(bytes.toString('latin1', from, to)) ?? this.add(bytes, from, to, hash);
  }

  private isAt(id: number, bytes: Buffer, from: number, to: number): boolean {
    const known = this.names[id]?.bytes;
    if (known === undefined || known.length !== to - from) return false;
    for (let index = 0; index < known.length; index += 1) if (known[index] !== bytes[from + index]) return false;
    return true;
  }

  private add(bytes: Buffer, from: number, to: number, hash: number): number {
    const text = bytes.toString('utf8', from, to);
    const match = NAME.exec(text);
    if (match === null) throw new EngineError('unreadable', 'a part of the document is not well-formed XML');
    if (this.names.length >= MAX_NAMES) throw new EngineError('oversize', 'a part of the document has too many names');
    const prefix = match[1] ?? '';
    const local = match[2] ?? '';
    const declares = prefix === 'xmlns' ? local : text === 'xmlns' ? '' : null;
    const localId = this.locals.get(local) ?? this.locals.size;
    this.locals.set(local, localId);
    this.localIds.push(localId);
    this.hashes.push(hash);
    this.starts.push(from);
    this.names.push({ text, prefix, local, declares, bytes: Uint8Array.from(bytes.subarray(from, to)) });
    const id = this.names.length - 1;
    if (this.names.length * SLOTS_PER_NAME > this.slots.length) this.grow();
    else this.place(id);
    return id;
  }

  /** A name that finds its places taken is looked up by its text. */
  private place(id: number): void {
    const { slots, mask } = this;
    const hash = this.hashes[id] as number;
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      const slot = (hash + probe) & mask;
      if (slots[slot] !== -1) continue;
      slots[slot] = id;
      return;
    }
    const name = this.names[id]?.bytes ?? [];
    this.others.set(Buffer.from(name).toString('latin1'), id);
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * SLOTS_PER_NAME).fill(-1);
    this.mask = this.slots.length - 1;
    this.others.clear();
    for (let id = 0; id < this.names.length; id += 1) this.place(id);
  }
}

/** The declarations in scope. */
export class NamespaceScope {
  private readonly bindings = new Map<string, string>([
    ['', ''],
    ['xml', XML_URI],
    ['xmlns', XMLNS_URI],
  ]);
  private readonly undo: { readonly depth: number; readonly prefix: string; readonly uri: string | undefined }[] = [];
  /** Changes with every change of what a prefix means. */
  epoch = 1;
  /** Depth of the element with the last declarations that are in force; -1 for none. */
  private lastDepth = -1;

  /** Returns whether a declaration changes anything. Throws EngineError `unreadable` for one that the recommendation forbids. */
  changes(prefix: string, uri: string): boolean {
    const isReserved = prefix === 'xmlns' || uri === XMLNS_URI || (prefix === 'xml') !== (uri === XML_URI);
    // Some programs trim a name of space before they compare it, others do not.
    if (isReserved || (prefix !== '' && uri === '') || uri !== uri.trim()) {
      throw new EngineError('unreadable', 'a part of the document declares a namespace that no document may declare');
    }
    return this.bindings.get(prefix) !== uri;
  }

  declare(prefix: string, uri: string, depth: number): void {
    this.undo.push({ depth, prefix, uri: this.bindings.get(prefix) });
    this.bindings.set(prefix, uri);
    this.lastDepth = depth;
    this.epoch += 1;
  }

  /** Forgets the declarations of the element at this depth. */
  leave(depth: number): void {
    if (depth !== this.lastDepth) return;
    for (let last = this.undo.at(-1); last !== undefined && last.depth === depth; last = this.undo.at(-1)) {
      if (last.uri === undefined) this.bindings.delete(last.prefix);
      else this.bindings.set(last.prefix, last.uri);
      this.undo.pop();
      this.epoch += 1;
    }
    this.lastDepth = this.undo.at(-1)?.depth ?? -1;
  }

  /** Returns null for an undeclared prefix. */
  find(prefix: string): string | null {
    return this.bindings.get(prefix) ?? null;
  }

  /** Throws EngineError `unreadable` for an undeclared prefix. */
  uriOf(prefix: string): string {
    const uri = this.find(prefix);
    if (uri === null) throw new EngineError('unreadable', 'a part of the document is not well-formed XML');
    return uri;
  }
}

/** Fixed prefix and local name of an element; null when its namespace is unknown. */
export function elementKey({ prefix, local }: XmlName, scope: NamespaceScope): string | null {
  if (prefix === 'xmlns') throw new EngineError('unreadable', 'a part of the document is not well-formed XML');
  const fixed = prefixOf(scope.uriOf(prefix));
  return fixed === null ? null : `${fixed}:${local}`;
}

/** Does the same for an attribute: a bare local name without prefix, `xmlns:…` for declarations. */
export function attributeKey(name: XmlName, scope: NamespaceScope): string | null {
  if (name.declares !== null) return `xmlns:${name.declares}`;
  if (name.prefix === '') return name.local;
  const fixed = prefixOf(scope.uriOf(name.prefix));
  return fixed === null ? null : `${fixed}:${name.local}`;
}
