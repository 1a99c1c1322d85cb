/** Outlook's two ways to wrap a message, built from their parts: TNEF streams and .msg compound files. */
import CFB from 'cfb';

const u16 = (value: number) => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

export type Property = readonly [id: number, type: number, value: Uint8Array];

/** Encapsulated MAPI properties (MS-OXTNEF 2.1.3.4) of variable types. */
export function mapiProperties(...properties: readonly Property[]): Buffer {
  const encoded = properties.flatMap(([id, type, value]) => [
    u32(((id << 16) | type) >>> 0),
    u32(1),
    u32(value.length),
    Buffer.from(value),
    Buffer.alloc((4 - (value.length % 4)) % 4),
  ]);
  return Buffer.concat([u32(properties.length), ...encoded]);
}

/** A TNEF stream of attributes: level, id, data. */
export function tnefOf(
  ...attributes: readonly (readonly [level: 1 | 2, id: number, data: Uint8Array | string])[]
): Buffer {
  const encoded = attributes.flatMap(([level, id, data]) => {
    const bytes = Buffer.from(data as string);
    const checksum = bytes.reduce((sum, byte) => (sum + byte) & 0xffff, 0);
    return [Buffer.from([level]), u16(id), u16(6), u32(bytes.length), bytes, u16(checksum)];
  });
  return Buffer.concat([u32(0x223e9f78), u16(1), ...encoded]);
}

/** RTF in the form of Outlook, as literals only (MS-OXRTFCP 3.1). */
export function literalRtf(text: string): Buffer {
  const groups: Buffer[] = [];
  for (let at = 0; at < text.length; at += 8)
    groups.push(Buffer.from([0]), Buffer.from(text.slice(at, at + 8), 'latin1'));
  const body = Buffer.concat(groups);
  return Buffer.concat([u32(body.length + 12), u32(text.length), u32(0x75465a4c), u32(0), body]);
}

export interface OutlookMail {
  readonly subject?: string;
  readonly body?: string;
  readonly html?: string;
  readonly rtf?: Uint8Array;
  readonly files?: Readonly<Record<string, string>>;
  readonly messages?: readonly OutlookMail[];
}

/** A .msg file (MS-OXMSG). */
export function msgOf(mail: OutlookMail): Buffer {
  const file = CFB.utils.cfb_new();
  addMessage(file, '', mail);
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array);
}

function addMessage(
  file: CFB.CFB$Container,
  at: string,
  { subject, body, html, rtf, files, messages }: OutlookMail,
): void {
  const put = (path: string, content: Uint8Array) => CFB.utils.cfb_add(file, `${at}/${path}`, Buffer.from(content));
  const text = (value: string) => Buffer.from(value, 'utf16le');
  put('__properties_version1.0', Buffer.alloc(32));
  if (subject !== undefined) put('__substg1.0_0037001F', text(subject));
  if (body !== undefined) put('__substg1.0_1000001F', text(body));
  if (html !== undefined) put('__substg1.0_10130102', Buffer.from(html));
  if (rtf !== undefined) put('__substg1.0_10090102', rtf);
  let index = 0;
  const attachment = () => `__attach_version1.0_#${String(index++).padStart(8, '0')}`;
  for (const [name, content] of Object.entries(files ?? {})) {
    const folder = attachment();
    put(`${folder}/__substg1.0_3707001F`, text(name));
    put(`${folder}/__substg1.0_37010102`, Buffer.from(content, 'latin1'));
  }
  for (const message of messages ?? []) addMessage(file, `${at}/${attachment()}/__substg1.0_3701000D`, message);
}
