/** The worker thread: one archive at a time. What leaves is the closed result, with its bytes moved and not copied. */
import { parentPort } from 'node:worker_threads';
import { type Opened, opened, type UnpackRequest } from '../message/containers/container.ts';
import { unpackHere } from './unpack.ts';

export interface WorkerRequest {
  readonly id: number;
  readonly request: UnpackRequest;
}
export interface WorkerAnswer {
  readonly id: number;
  readonly opened: Opened;
}

parentPort?.on('message', async ({ id, request }: WorkerRequest) => {
  const answer = await unpackHere(request).catch(() =>
    // The fault's text can quote the file: it stays here.
    opened({ outcome: 'damaged', detail: `a ${request.format} archive that its reader gave up on` }),
  );
  const members = answer.members.map((member) => ({ ...member, bytes: owned(member.bytes) }));
  const buffers = [...new Set(members.map(({ bytes }) => bytes.buffer))];
  parentPort?.postMessage({ id, opened: { ...answer, members } }, buffers);
});

/** Only bytes that own their whole buffer can be moved: a view of a pool or of wasm memory is copied first. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return isWhole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
