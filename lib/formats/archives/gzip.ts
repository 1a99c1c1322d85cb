/** Opens gzip (RFC 1952), all members of the stream as one, with Node's own zlib and a limit on the output. */
import { gunzipSync } from 'node:zlib';
import { NAME_CHARACTERS } from '../names/bounded-name.ts';
import { createOutput } from './collect.ts';
import { gzipHeader } from './gzip-layout.ts';
import { openWithSevenZip } from './seven-zip.ts';
import { nameWithin } from './single-name.ts';
import { mostBytes, type Unpacked, type UnpackRequest, unopenedArchive } from './unpacking.ts';

export async function openGzip(request: UnpackRequest): Promise<Unpacked> {
  const { bytes, untrustedName, allowance } = request;
  const maxOutputLength = Math.min(mostBytes(allowance, bytes.length), allowance.memberBytes);
  const output = createOutput(allowance, bytes.length);
  try {
    const content = gunzipSync(bytes, { maxOutputLength: Math.max(1, maxOutputLength) });
    // Some programs use the first of these names, and some the second.
    const names = [storedNameOf(bytes), nameWithin(untrustedName)].filter((name) => name !== null);
    output.add(names, content);
    return output.result();
  } catch (error) {
    if (error instanceof RangeError) return unopenedArchive('over_budget', 'it unpacks to more than is looked at');
    // Other programs use the content before the damage, or before bytes that were added after the end.
    return openWithSevenZip(request);
  }
}

/** Returns the original name in the header, bounded; null without one. */
function storedNameOf(bytes: Uint8Array): string | null {
  return gzipHeader(bytes)?.storedName?.slice(0, NAME_CHARACTERS) || null;
}
