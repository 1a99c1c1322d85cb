/** CMS (RFC 5652) built from its parts, in DER and in BER. */

export const CMS = {
  data: '2a864886f70d010701',
  signed: '2a864886f70d010702',
  enveloped: '2a864886f70d010703',
  encrypted: '2a864886f70d010706',
  compressed: '2a864886f70d0109100109',
  authEnveloped: '2a864886f70d0109100117',
} as const;

/** An element whose length stands in front of it. */
export function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** The same with a length that only its end tells. */
export const ber = (tag: number, ...contents: Uint8Array[]) =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.from([0, 0])]);

export const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
export const version = der(0x02, Buffer.from([1]));

/** ContentInfo (§3) with anything in it. */
export const contentInfo = (type: string, content: Buffer, make = der) => make(0x30, oid(type), make(0xa0, content));

/** SignedData (§5.1), or CompressedData with its type. Without a payload it is detached. */
export function cms(type: string, payload: Buffer | null, make = der): Buffer {
  const content = payload === null ? [] : [make(0xa0, make === der ? der(0x04, payload) : pieces(payload))];
  const data = make(0x30, version, der(0x31), make(0x30, oid(CMS.data), ...content), der(0x31));
  return contentInfo(type, data, make);
}

/** An OCTET STRING in pieces, as signers write while they read. */
export const pieces = (payload: Buffer) =>
  ber(0x24, ...[0, 7].map((at) => der(0x04, payload.subarray(at, at === 0 ? 7 : payload.length))));

/** EncryptedContentInfo (§6.1): the type, the algorithm, and the octets that nobody can read. */
export function encryptedContent(
  content: readonly Buffer[] = [der(0x80, Buffer.from('no one reads this'))],
  make = der,
) {
  return make(0x30, oid(CMS.data), der(0x30, oid('608648016503040102')), ...content);
}

/** EnvelopedData (§6.1) of which parts are left out or added. */
export function enveloped({
  make = der,
  recipients = [der(0x30, version)],
  content,
  more = [],
}: {
  make?: typeof der;
  recipients?: Buffer[];
  content?: Buffer[];
  more?: Buffer[];
}): Buffer {
  const info = encryptedContent(content, make);
  return contentInfo(CMS.enveloped, make(0x30, version, der(0x31, ...recipients), info, ...more), make);
}
