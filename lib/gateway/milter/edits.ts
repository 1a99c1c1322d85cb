/**
 * The changes that a mail server has to make in the message that it holds, so that it becomes the clean one. A milter cannot send it a new
 * message. It can replace the body, and change, remove and add single fields of the header, each by its name and its number among the
 * fields of that name.
 */
import { MAX_BODY, packet } from './packets.ts';

/** A field of a header as written in a message: latin1, the value with all text behind the colon, without the last line end. */
interface Field {
  readonly name: string;
  readonly value: string;
}

interface Parts {
  readonly fields: readonly Field[];
  readonly body: Uint8Array;
}

/** One change. A field without a value is removed; `index` counts from 1 among the fields of the name, in any case of letters. */
export type Edit =
  | { readonly kind: 'change'; readonly index: number; readonly name: string; readonly value: string | null }
  | { readonly kind: 'add'; readonly name: string; readonly value: string }
  | { readonly kind: 'body'; readonly bytes: Uint8Array };

/**
 * Returns the changes that make `clean` of `original`; none when they are the same. Returns null when the protocol cannot express them: a
 * line of the header that is no field, or a field with nothing behind its colon, which would be removed. Fields of different names may be
 * in another order afterwards.
 */
export function editsBetween(original: Uint8Array, clean: Uint8Array): Edit[] | null {
  const [before, after] = [partsOf(original), partsOf(clean)];
  if (before === null || after === null) return null;
  const names = new Set([...before.fields, ...after.fields].map(({ name }) => name.toLowerCase()));
  const edits: Edit[] = [...names].flatMap((name) => fieldEdits(named(before, name), named(after, name)));
  if (edits.some((edit) => edit.kind !== 'body' && edit.value === '')) return null;
  if (Buffer.compare(before.body, after.body) !== 0) edits.push({ kind: 'body', bytes: after.body });
  return edits;
}

const named = ({ fields }: Parts, lowerName: string) => fields.filter(({ name }) => name.toLowerCase() === lowerName);

/**
 * Fields that say how the body is read. They are always written anew: a mail server may omit a blank in front of the colon when it shows a
 * field, and other programs would not find the unchanged field.
 */
const SAID_ANEW = /^(?:content-[a-z-]+|mime-version)$/i;

/** Removes the last ones first. After each removal, some mail servers count the fields anew, and others do not. */
function fieldEdits(before: readonly Field[], after: readonly Field[]): Edit[] {
  const changed = after.flatMap((field, index) => {
    const old = before[index];
    if (old === undefined) return { kind: 'add' as const, ...field };
    const isSame = old.value === field.value && old.name === field.name && !SAID_ANEW.test(field.name);
    return isSame ? [] : { kind: 'change' as const, index: index + 1, ...field };
  });
  const gone = before.slice(after.length).map(({ name }, index) => ({
    ...{ kind: 'change' as const, index: after.length + index + 1, name, value: null },
  }));
  return [...changed, ...gone.reverse()];
}

/** Returns the fields, or null when a line of the header is no field. */
function partsOf(message: Uint8Array): Parts | null {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const isBodyOnly = bytes.subarray(0, 2).toString('latin1') === '\r\n';
  const end = isBodyOnly ? 0 : bytes.indexOf('\r\n\r\n');
  const header = end < 0 ? bytes.toString('latin1') : bytes.subarray(0, end).toString('latin1');
  const body = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + (isBodyOnly ? 2 : 4));
  const lines = header === '' ? [] : header.replace(/\r\n$/, '').split(/\r\n(?![ \t])/);
  const fields = lines.map(fieldOf);
  return fields.every((field) => field !== null) ? { fields, body } : null;
}

function fieldOf(line: string): Field | null {
  const [, name, value] = /^([\x21-\x39\x3B-\x7E]+):(.*)$/s.exec(line) ?? [];
  return name === undefined || value === undefined ? null : { name, value };
}

/** Returns the packets of changes. The lines of a folded field end with LF there. */
export function editPackets(edits: readonly Edit[]): Buffer[] {
  const text = (value: string) => value.replaceAll('\r\n', '\n');
  return edits.flatMap((edit) => {
    if (edit.kind === 'body') return bodyPackets(edit.bytes);
    if (edit.kind === 'add') return packet('h', `${edit.name}\0${text(edit.value)}\0`);
    const index = Buffer.alloc(4);
    index.writeUInt32BE(edit.index, 0);
    const strings = Buffer.from(`${edit.name}\0${edit.value === null ? '' : text(edit.value)}\0`, 'latin1');
    return packet('m', Buffer.concat([index, strings]));
  });
}

function bodyPackets(bytes: Uint8Array): Buffer[] {
  const count = Math.max(1, Math.ceil(bytes.length / MAX_BODY));
  return Array.from({ length: count }, (_, index) =>
    packet('b', bytes.subarray(index * MAX_BODY, (index + 1) * MAX_BODY)),
  );
}
