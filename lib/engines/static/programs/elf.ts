/** Programs of Linux and macOS. Their headers are read far enough to recognise the kind and a packer. */
import type { Finding } from '../../engine.ts';
import { entropyOf } from '../findings/entropy.ts';
import { finding } from '../findings/findings.ts';

const MACHINES: Readonly<Record<number, string>> = {
  3: 'x86',
  8: 'MIPS',
  40: 'ARM',
  62: 'x86-64',
  183: 'ARM64',
  243: 'RISC-V',
};
const MAX_SEGMENTS = 64;
const PACKED_ENTROPY = 7.2;

/** Returns facts about an ELF file; none for other bytes. */
export function judgeElf(bytes: Uint8Array): Finding[] {
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== '\x7fELF') return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const is64 = view.getUint8(4) === 2;
    const little = view.getUint8(5) === 1;
    const machine = MACHINES[view.getUint16(18, little)] ?? 'another machine';
    const segments = loadedSegments(view, is64, little);
    const packed = segments.find(
      ([at, size]) => size > 4_096 && entropyOf(bytes.subarray(at, at + size)) > PACKED_ENTROPY,
    );
    const isPacked = packed !== undefined || Buffer.from(bytes.subarray(0, 4_096)).includes('UPX!');
    return [
      finding('program-facts', null, `ELF ${is64 ? 64 : 32} bit for ${machine}, ${segments.length} loaded segments`),
      ...(isPacked ? [finding('program-packed')] : []),
    ];
  } catch (error) {
    if (error instanceof RangeError) return [finding('program-damaged')];
    throw error;
  }
}

function loadedSegments(view: DataView, is64: boolean, little: boolean): [number, number][] {
  const table = is64 ? Number(view.getBigUint64(32, little)) : view.getUint32(28, little);
  const size = view.getUint16(is64 ? 54 : 42, little);
  const count = Math.min(view.getUint16(is64 ? 56 : 44, little), MAX_SEGMENTS);
  const segments: [number, number][] = [];
  for (let index = 0; index < count; index++) {
    const at = table + index * size;
    if (view.getUint32(at, little) !== 1) continue;
    segments.push(
      is64
        ? [Number(view.getBigUint64(at + 8, little)), Number(view.getBigUint64(at + 32, little))]
        : [view.getUint32(at + 4, little), view.getUint32(at + 16, little)],
    );
  }
  return segments;
}

const MACH_MAGIC = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe]);
const CODE_SIGNATURE = 0x1d;
const MAX_COMMANDS = 500;

/** Returns facts about a Mach-O file for one machine; none for other bytes. */
export function judgeMachO(bytes: Uint8Array): Finding[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 32 || !MACH_MAGIC.has(view.getUint32(0))) return [];
  const little = view.getUint8(0) !== 0xfe;
  const is64 = (view.getUint32(0, little) & 1) === 1;
  try {
    let at = is64 ? 32 : 28;
    let isSigned = false;
    const count = Math.min(view.getUint32(16, little), MAX_COMMANDS);
    for (let index = 0; index < count; index++) {
      isSigned ||= view.getUint32(at, little) === CODE_SIGNATURE;
      at += Math.max(8, view.getUint32(at + 4, little));
    }
    return [
      finding('program-facts', null, `Mach-O ${is64 ? 64 : 32} bit, ${count} load commands`),
      ...(isSigned ? [finding('program-signed')] : []),
    ];
  } catch (error) {
    if (error instanceof RangeError) return [finding('program-damaged')];
    throw error;
  }
}
