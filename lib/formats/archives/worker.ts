/** The worker thread: one archive at a time. Only the result leaves it, and its bytes are moved, not copied. */
import { missingPackage } from '../missing-package.ts';
import { answerRequests } from '../threads/worker-thread.ts';
import { unpackHere } from './unpack.ts';
import { type Unpacked, type UnpackRequest, unopenedArchive } from './unpacking.ts';

answerRequests(unpackRequest, ({ members }) => [...new Set(members.map(({ bytes }) => bytes.buffer as ArrayBuffer))]);

async function unpackRequest(request: UnpackRequest): Promise<Unpacked> {
  const answer = await unpackHere(request).catch((error) => {
    const missing = missingPackage(error);
    if (missing !== null) return unopenedArchive('unsupported', missing.message);
    // The text of any other error can quote the file, so it does not leave the thread.
    return unopenedArchive('damaged', `a ${request.format} archive that its reader failed on`);
  });
  return { ...answer, members: answer.members.map((member) => ({ ...member, bytes: owned(member.bytes) })) };
}

/** Returns bytes that own their whole buffer, because only these can be moved. A view of a pool or of wasm memory is copied. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return isWhole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
