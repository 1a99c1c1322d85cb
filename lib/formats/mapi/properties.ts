/** Lists the ids and types of the MAPI properties (MS-OXPROPS) that are read, and says how Outlook stores them. */

export const PROPERTY = {
  subject: 0x0037,
  submitTime: 0x0039,
  senderAddress: 0x0065,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderEmail: 0x0c1f,
  displayCc: 0x0e03,
  displayTo: 0x0e04,
  deliveryTime: 0x0e06,
  body: 0x1000,
  compressedRtf: 0x1009,
  html: 0x1013,
  messageId: 0x1035,
  references: 0x1039,
  inReplyTo: 0x1042,
  displayName: 0x3001,
  email: 0x3003,
  attachData: 0x3701,
  attachFilename: 0x3704,
  attachLongFilename: 0x3707,
  attachMimeTag: 0x370e,
  attachContentId: 0x3712,
  smtpAddress: 0x39fe,
  internetCodePage: 0x3fde,
  messageCodePage: 0x3ffd,
  senderSmtp: 0x5d01,
} as const;

/** PtypInteger32, PtypTime, PtypString, PtypString8, PtypBinary, PtypObject. */
export const TYPE = {
  integer: 0x0003,
  time: 0x0040,
  unicode: 0x001f,
  string8: 0x001e,
  binary: 0x0102,
  object: 0x000d,
} as const;

/** Returns the stream of an Outlook message that holds a property (MS-OXMSG 2.1.3). */
export function propertyStreamName(id: number, type: number): string {
  const tag = `${id.toString(16).padStart(4, '0')}${type.toString(16).padStart(4, '0')}`;
  return `__substg1.0_${tag.toUpperCase()}`;
}

/** Windows counts time in units of 100 ns since 1601. */
const EPOCH_OFFSET_MS = 11_644_473_600_000;

/** Returns the milliseconds since 1970 of a PtypTime. Returns null for a time that JavaScript cannot hold. */
export function timeOf(value: Buffer): number | null {
  const milliseconds = Number(value.readBigUInt64LE(0) / 10_000n) - EPOCH_OFFSET_MS;
  return Math.abs(milliseconds) < 8e15 ? milliseconds : null;
}
