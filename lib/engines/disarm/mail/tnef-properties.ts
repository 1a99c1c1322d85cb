/** The properties of a TNEF attribute, by id. A damaged list is refused. */

import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { TYPE, timeOf } from '../../../formats/mapi/properties.ts';
import { type ListFault, readPropertyList } from '../../../formats/mapi/property-list.ts';
import { INTERFACE_ID_BYTES } from '../../../formats/mapi/tnef.ts';
import { EngineError } from '../../engine.ts';
import type { MapiProperties } from './mapi-mail.ts';

export interface TnefProperties extends MapiProperties {
  /** Returns an object's bytes after the id of its interface: a message within the message. */
  object(id: number): Buffer | null;
}

interface Value {
  readonly type: number;
  readonly data: Buffer;
}

const FAILURES: Readonly<Record<ListFault, readonly ['unreadable' | 'oversize', string]>> = {
  'cut-off': ['unreadable', 'the properties of the container are cut off'],
  'unknown-type': ['unreadable', 'a property of the container has a type that no standard names'],
  'too-many': ['oversize', 'the container has too many properties'],
};

/** The properties of an attribute without any. */
export const EMPTY_PROPERTIES: TnefProperties = accessTo(new Map(), 'windows-1252');

/** Reads the list. Of several values, and of several properties with one id, the first counts. Throws EngineError. */
export function readMapiProperties(data: Buffer, charset: string): TnefProperties {
  const values = new Map<number, Value>();
  const refuse = (fault: ListFault) => {
    throw new EngineError(...FAILURES[fault]);
  };
  for (const property of readPropertyList(data, refuse)) {
    const [first] = property.values;
    if (first !== undefined && !values.has(property.id)) values.set(property.id, { type: property.type, data: first });
  }
  return accessTo(values, charset);
}

function accessTo(values: ReadonlyMap<number, Value>, charset: string): TnefProperties {
  const of = (id: number, ...types: number[]) => {
    const value = values.get(id);
    return value !== undefined && types.includes(value.type) ? value : null;
  };
  return {
    text(id) {
      const value = of(id, TYPE.string8, TYPE.unicode);
      if (value === null) return null;
      return decodeCharset(value.data, value.type === TYPE.unicode ? 'utf-16le' : charset).replace(/\0[\s\S]*$/, '');
    },
    binary: (id) => of(id, TYPE.binary, TYPE.object)?.data ?? null,
    number: (id) => of(id, TYPE.integer)?.data.readInt32LE(0) ?? null,
    time(id) {
      const value = of(id, TYPE.time);
      return value === null ? null : timeOf(value.data);
    },
    object: (id) => of(id, TYPE.object)?.data.subarray(INTERFACE_ID_BYTES) ?? null,
  };
}
