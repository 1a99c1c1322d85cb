/** gzip (RFC 1952), all members of the stream as one, by Node's own zlib with a bound on what comes out. */
import { gunzipSync } from 'node:zlib';
import { mostBytes } from '../message/containers/budget.ts';
import { type Opened, opened, type UnpackRequest } from '../message/containers/container.ts';
import { NAME_CHARACTERS } from '../message/encoded-words.ts';
import { createOutput } from './collect.ts';
import { openWithSevenZip } from './seven-zip.ts';
import { nameWithin } from './single-name.ts';

const NAME_FLAG = 0x08;
const EXTRA_FLAG = 0x04;

export async function openGzip(request: UnpackRequest): Promise<Opened> {
  const { bytes, untrustedName, allowance } = request;
  const maxOutputLength = Math.min(mostBytes(allowance, bytes.length), allowance.memberBytes);
  const output = createOutput(allowance, bytes.length);
  try {
    const content = gunzipSync(bytes, { maxOutputLength: Math.max(1, maxOutputLength) });
    // Programs take the one or the other.
    const names = [storedName(bytes), nameWithin(untrustedName)].filter((name) => name !== null);
    output.add(names, content);
    return output.result();
  } catch (error) {
    if (error instanceof RangeError)
      return opened({ outcome: 'over_budget', detail: 'it unpacks to more than is looked at' });
    // Other programs take what there is in front of the damage, or of what was put behind the end.
    return openWithSevenZip(request);
  }
}

/** The original name in the header, latin1, or null. */
function storedName(bytes: Uint8Array): string | null {
  const flags = bytes[3] ?? 0;
  if ((flags & NAME_FLAG) === 0) return null;
  const start = (flags & EXTRA_FLAG) === 0 ? 10 : 12 + (bytes[10] ?? 0) + ((bytes[11] ?? 0) << 8);
  const end = bytes.indexOf(0, start);
  const name =
    end < 0 ? '' : Buffer.from(bytes.subarray(start, Math.min(end, start + NAME_CHARACTERS))).toString('latin1');
  return name === '' ? null : name;
}
