/** The beginnings of recordings in AMR, and the lengths of their frames. */
import { asBuffer } from '../byte-scan.ts';

/** Bytes of a frame after its first byte, by its type; null for a type that does not exist (3GPP TS 26.101 and 26.201). */
export const AMR_KINDS = {
  narrow: { magic: '#!AMR\n', frameBytes: [12, 13, 15, 17, 19, 20, 26, 31, 5, null, null, null, null, null, null, 0] },
  wide: { magic: '#!AMR-WB\n', frameBytes: [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, null, null, null, null, 0, 0] },
} as const;

/** Returns which of the two kinds it is; null for everything else. */
export function amrKind(untrusted: Uint8Array): keyof typeof AMR_KINDS | null {
  const start = asBuffer(untrusted).toString('latin1', 0, AMR_KINDS.wide.magic.length);
  if (start.startsWith(AMR_KINDS.narrow.magic)) return 'narrow';
  return start === AMR_KINDS.wide.magic ? 'wide' : null;
}
