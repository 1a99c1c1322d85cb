/**
 * What a person dropped at a desk: a copy of something, to see what the airlock finds. Nobody waits for it, so nobody is sent it or told of it. That is
 * decided here alone: whatever sends or tells takes a `TellableLedger`, and only `tellable` makes one.
 */

import { DROPS } from '../model.ts';
import type { IntakeObject } from './intake-object.ts';
import type { Ledger } from './ledger.ts';

/** Bytes of a file name that a key keeps. */
const MOST_NAME_BYTES = 60;
/** Characters that a listing of S3 cannot hold (XML 1.0), and the end of a folder. Everything else of the name is evidence. */
const UNUSABLE = /[\p{Cc}\p{Cs}/\uFFFE\uFFFF]/gu;
const ID = /^[0-9a-f]{32}$/;

declare const TELLABLE: unique symbol;
/** The ledger of a run that people may be sent, or told of. */
export type TellableLedger = Ledger & { readonly [TELLABLE]: true };

/** The same ledger; null for a run about something that a person dropped at a desk, which the signed ledger says. */
export const tellable = (ledger: Ledger): TellableLedger | null =>
  ledger.intake.dropped === true ? null : (ledger as TellableLedger);

const DROP_KEY = new RegExp(`^${DROPS}[0-9a-f]{32}/[^/]+$`);
/** True for the key of a dropped object of the intake bucket. Anything else that lies there was not dropped, and is mail as any other. */
export const isDropKey = (key: string): boolean => DROP_KEY.test(key);

/** The object of a drop with this id (32 hexadecimal digits), which nobody else has, before it is stored. Its run does not depend on its version. */
export function droppedObject(bucket: string, id: string, untrustedName: string, size: number): IntakeObject {
  if (!ID.test(id)) throw new TypeError('not an id of a drop');
  return { bucket, untrustedKey: `${DROPS}${id}/${keptName(untrustedName)}`, versionId: '', size, dropped: true };
}

/** The end of the name, because it has the extension. */
function keptName(untrustedName: string): string {
  const characters = [...untrustedName.slice(-2 * MOST_NAME_BYTES).replace(UNUSABLE, '_')];
  while (Buffer.byteLength(characters.join('')) > MOST_NAME_BYTES) characters.shift();
  const name = characters.join('').trim();
  return /^\.*$/.test(name) ? 'file' : name;
}
