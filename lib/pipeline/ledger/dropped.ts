/**
 * Objects that a person dropped at a desk: copies, to see the findings of the airlock. Nobody waits for them, so they are sent to nobody,
 * and nobody is told of them. Only this file decides that. All code that sends or tells takes a `TellableLedger`, and only `tellable` makes
 * one.
 */

import { DROPS } from '../model.ts';
import type { IntakeObject } from './intake-object.ts';
import type { Ledger } from './ledger.ts';

/** The bytes of a file name that a key keeps. */
const MAX_NAME_BYTES = 60;
/** Characters that a listing of S3 cannot contain (XML 1.0), and the end of a folder. All other characters of the name are evidence. */
const UNUSABLE = /[\p{Cc}\p{Cs}/\uFFFE\uFFFF]/gu;
const ID = /^[0-9a-f]{32}$/;

declare const TELLABLE: unique symbol;
/** The ledger of a run that people may receive, or be told of. */
export type TellableLedger = Ledger & { readonly [TELLABLE]: true };

/** Returns the same ledger; null for a run about an object that a person dropped at a desk. The signed ledger tells that. */
export const tellable = (ledger: Ledger): TellableLedger | null =>
  ledger.intake.dropped === true ? null : (ledger as TellableLedger);

const DROP_KEY = new RegExp(`^${DROPS}[0-9a-f]{32}/[^/]+$`);
/** Returns true for the key of a dropped object of the intake bucket. Any other object there was not dropped, and is ordinary mail. */
export const isDropKey = (key: string): boolean => DROP_KEY.test(key);

/**
 * Returns the object of a drop with this id (32 hexadecimal digits), which is unique, before it is stored. Its run does not depend on its
 * version.
 */
export function droppedObject(bucket: string, id: string, untrustedName: string, size: number): IntakeObject {
  if (!ID.test(id)) throw new TypeError('not an id of a drop');
  return { bucket, untrustedKey: `${DROPS}${id}/${keptName(untrustedName)}`, versionId: '', size, dropped: true };
}

/** Keeps the end of the name, because it has the extension. */
function keptName(untrustedName: string): string {
  const characters = [...untrustedName.slice(-2 * MAX_NAME_BYTES).replace(UNUSABLE, '_')];
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES) characters.shift();
  const name = characters.join('').trim();
  return /^\.*$/.test(name) ? 'file' : name;
}
