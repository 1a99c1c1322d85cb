/** Checksums of recordings. */

/** Returns the remainders of a byte by a polynomial of 8, 16 or 32 bits, high bit first. */
function tableOf(polynomial: number, width: number): Uint32Array {
  const top = 2 ** (width - 1);
  const step = (value: number) => ((value & top) === 0 ? value << 1 : (value << 1) ^ polynomial);
  const mask = width === 32 ? 0xffff_ffff : 2 ** width - 1;
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) value = step(value);
    return value & mask;
  });
}

const CRC_8 = tableOf(0x07, 8);
const CRC_16 = tableOf(0x8005, 16);

/** Returns the checksum of the header of a FLAC frame (RFC 9639, 9.1.8), over bytes [start, end). */
export function crc8(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) crc = CRC_8[crc ^ (bytes[at] as number)] as number;
  return crc;
}

/** Returns the checksum of a FLAC frame (RFC 9639, 9.3), over bytes [start, end). */
export function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++)
    crc = ((crc << 8) & 0xffff) ^ (CRC_16[(crc >> 8) ^ (bytes[at] as number)] as number);
  return crc;
}

const CRC_32 = tableOf(0x04c1_1db7, 32);
const NO_SUM = new Uint8Array(4);

/** Returns the checksum of an Ogg page (RFC 3533, 6), whose own four bytes at 22 count as zeros. */
export function oggSum(page: Uint8Array): number {
  const over = (crc: number, bytes: Uint8Array) => {
    let value = crc;
    for (const byte of bytes) value = (value << 8) ^ (CRC_32[(value >>> 24) ^ byte] as number);
    return value;
  };
  return over(over(over(0, page.subarray(0, 22)), NO_SUM), page.subarray(26)) >>> 0;
}
