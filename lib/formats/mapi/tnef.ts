/** Reads TNEF, the winmail.dat of Outlook (MS-OXTNEF): a signature, then attributes one after another. */

const SIGNATURE = 0x223e9f78;
const HEADER_BYTES = 6;
/** Level, id and length come before the data, and a checksum after it. */
const ATTRIBUTE_HEADER_BYTES = 9;
const CHECKSUM_BYTES = 2;
/** Most attributes of one container. Ordinary ones have about thirty, and two per attachment. */
const MANY_ATTRIBUTES = 20_000;
/** An object that is a message begins with the id of its interface, IID_IMessage. */
export const INTERFACE_ID_BYTES = 16;

export const ATTRIBUTE = {
  subject: 0x8004,
  body: 0x800c,
  attachData: 0x800f,
  attachTitle: 0x8010,
  attachRenderData: 0x9002,
  messageProperties: 0x9003,
  attachProperties: 0x9005,
  codePage: 0x9007,
} as const;

export interface TnefAttribute {
  readonly id: number;
  readonly data: Buffer;
}

export type TnefFault =
  /** It does not start as a container. Nothing can be read. */
  | 'no-signature'
  /** It ends within an attribute, which is shorter than it says. */
  | 'cut-off'
  /** It ends within the checksum of its last attribute. */
  | 'no-checksum'
  /** More attributes than any program writes. */
  | 'too-many';

const viewOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Returns true when the bytes start like a container that is not empty. */
export function isTnef(bytes: Uint8Array): boolean {
  return bytes.length > HEADER_BYTES && viewOf(bytes).readUInt32LE(0) === SIGNATURE;
}

/** Returns the attributes in order. Throws only the errors of `onFault`. */
export function* readTnefAttributes(input: Uint8Array, onFault: (fault: TnefFault) => void): Generator<TnefAttribute> {
  const bytes = viewOf(input);
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== SIGNATURE) {
    onFault('no-signature');
    return;
  }
  let at = HEADER_BYTES;
  for (let count = 0; at + ATTRIBUTE_HEADER_BYTES <= bytes.length; count++) {
    if (count === MANY_ATTRIBUTES + 1) onFault('too-many');
    const from = at + ATTRIBUTE_HEADER_BYTES;
    const end = from + bytes.readUInt32LE(at + 5);
    if (end > bytes.length) onFault('cut-off');
    else if (end + CHECKSUM_BYTES > bytes.length) onFault('no-checksum');
    yield { id: bytes.readUInt16LE(at + 1), data: bytes.subarray(from, end) };
    at = end + CHECKSUM_BYTES;
  }
}
