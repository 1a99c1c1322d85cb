/**
 * The tags of Exif 2.32 that are allowed in a plain picture, each with the type of its value: `a` text, `b` bytes, `s` a short number, `n`
 * a short or long one, `r` a fraction, `i` a fraction with a sign, `u` bytes without a type. The number of values follows, `*` for any
 * number. The note of the maker (927c) has another form for each maker, so no list has it.
 */

export interface Tag {
  readonly kind: string;
  /** Null for any number. */
  readonly count: number | null;
}
export type Tags = ReadonlyMap<number, Tag>;

function tags(rows: string): Tags {
  return new Map(
    rows
      .trim()
      .split(/\s+/)
      .map((row) => {
        const [number = '', kind = ''] = row.split(':');
        const count = kind.slice(1);
        return [Number.parseInt(number, 16), { kind: kind.charAt(0), count: count === '*' ? null : Number(count) }];
      }),
  );
}

/** Tags that lead to another table, or to the small picture. */
export const LEADS = { main: 0x8769, place: 0x8825, exchange: 0xa005, small: 0x0201, smallLength: 0x0202 } as const;

/** Tags about the picture and the small picture. */
export const PICTURE_TAGS = tags(`
  0100:n1 0101:n1 0102:s* 0103:s1 0106:s1 010e:a* 010f:a* 0110:a* 0112:s1 0115:s1 011a:r1 011b:r1 011c:s1 0128:s1 0131:a* 0132:a20
  013b:a* 013c:a* 013e:r2 013f:r6 0142:n1 0143:n1 0211:r3 0213:s1 0214:r6 8298:a* 9c9b:b* 9c9c:b* 9c9d:b* 9c9e:b* 9c9f:b*
  8769:n1 8825:n1 0201:n1 0202:n1
`);
/** Tags about the exposure. */
export const MAIN_TAGS = tags(`
  829a:r1 829d:r1 8822:s1 8827:s* 8830:s1 8831:n1 8832:n1 9000:u4 9003:a20 9004:a20 9010:a* 9011:a* 9012:a* 9101:u4 9102:r1 9201:i1 9202:r1
  9203:i1 9204:i1 9205:r1 9206:r1 9207:s1 9208:s1 9209:s1 920a:r1 9214:s* 9286:u* 9290:a* 9291:a* 9292:a* a000:u4 a001:s1 a002:n1
  a003:n1 a004:a* a20e:r1 a20f:r1 a210:s1 a215:r1 a217:s1 a300:u1 a301:u1 a401:s1 a402:s1 a403:s1 a404:r1 a405:s1 a406:s1 a407:s1 a408:s1
  a409:s1 a40a:s1 a40c:s1 a420:a* a430:a* a431:a* a432:r4 a433:a* a434:a* a435:a* a460:s1 a005:n1
`);
/** Tags about the place. */
export const PLACE_TAGS = tags(`
  0000:b4 0001:a2 0002:r3 0003:a2 0004:r3 0005:b1 0006:r1 0007:r3 0008:a* 0009:a2 000a:a2 000b:r1 000c:a2 000d:r1 000e:a2 000f:r1 0010:a2
  0011:r1 0012:a* 0013:a2 0014:r3 0015:a2 0016:r3 0017:a2 0018:r1 001b:u* 001d:a11 001e:s1 001f:r1
`);
/** Tags about the exchange of files. */
export const EXCHANGE_TAGS = tags('0001:a4 0002:u4 1001:n1 1002:n1');
