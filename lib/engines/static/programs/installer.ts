/** Windows installers: finds the scripts and programs in the streams of the database, which run during the installation. */
import type { EngineLimits, Finding } from '../../engine.ts';
import { readCompound } from '../compound-streams.ts';
import { isProgram } from '../findings/executable-kind.ts';
import { finding } from '../findings/findings.ts';
import type { Piece } from '../findings/module.ts';

const MAX_STREAMS = 100;
const SCRIPT = /\b(?:CreateObject|ActiveXObject|WScript\.|powershell|Session\.Property)/i;

/** Returns the streams that hold code. A damaged database has none, and an installer is already a finding. */
export function installerPieces(bytes: Uint8Array, limits: EngineLimits): { findings: Finding[]; pieces: Piece[] } {
  try {
    const pieces = readCompound(bytes, limits)
      .streams.filter(
        (stream) => isProgram(stream.bytes) || isCabinet(stream.bytes) || SCRIPT.test(latin1(stream.bytes)),
      )
      .slice(0, MAX_STREAMS)
      .map((stream, index) => ({
        where: stream.path,
        bytes: stream.bytes,
        kind: 'extracted_file' as const,
        untrustedName: `stream-${index}`,
        type: 'text/vbscript',
        scope: 'file' as const,
      }));
    const script = pieces.find((piece) => !isProgram(piece.bytes) && !isCabinet(piece.bytes));
    return { findings: script === undefined ? [] : [finding('msi-custom-code', script.where)], pieces };
  } catch {
    // The database is damaged or larger than the budget.
    return { findings: [], pieces: [] };
  }
}

const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.subarray(0, 256 * 1024))
    .toString('latin1')
    .replaceAll('\0', '');
const isCabinet = (bytes: Uint8Array) => latin1(bytes.subarray(0, 4)) === 'MSCF';
