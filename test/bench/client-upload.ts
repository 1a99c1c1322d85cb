/** What a file of 100 MB costs the client in memory, on its way up and on its way down. */
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withScratch } from './baselines.ts';
import { type Figure, type Measured, type Part, type Progress, quantity } from './figure.ts';

const FILE_BYTES = 100 * 1024 * 1024;

/** The direction, what it is, and the target in MB; null where the pieces are made by others and only waited for. */
const TRANSFERS = [
  ['path', 'upload of a path', 60],
  ['stream', 'upload of a stream of unknown length', null],
  ['save', 'download to a path', null],
] as const;

export const clientUpload: Part = {
  name: 'client-upload',
  title: 'A file of 100 MB through the client: how far its process grows',
  measure: (progress) =>
    withScratch(async (folder) => {
      const path = join(folder, 'large');
      await writeLarge(path);
      const received: number[] = [];
      const server = createServer((request, response) => void serve(request, response, received));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        return await measureAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, path, received, progress);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    }),
};

async function measureAt(url: string, path: string, received: number[], progress: Progress): Promise<Measured> {
  const figures: Figure[] = [];
  for (const [direction, what, atMost] of TRANSFERS) {
    progress(what);
    const { grewBytes, elapsedMs } = await moved(url, direction, path);
    if (direction !== 'save' && (received.at(-1) ?? 0) < FILE_BYTES) throw new Error(`${what}: not all bytes arrived`);
    const baselines = [{ name: 'the whole file in memory', value: FILE_BYTES / 1e6 }];
    figures.push({ name: `${what}: growth`, measured: quantity(grewBytes / 1e6, 'MB'), atMost, baselines });
    figures.push({ name: `${what}: time`, measured: quantity(elapsedMs, 'ms'), atMost: null, baselines: [] });
  }
  const notes = ['growth of the resident set over a process that has moved 1 MB already, sampled every 2 ms'];
  return { figures, tables: [], notes };
}

async function moved(
  url: string,
  direction: string,
  path: string,
): Promise<{ readonly grewBytes: number; readonly elapsedMs: number }> {
  const script = join(import.meta.dirname, 'client-transfer.ts');
  const args = ['--expose-gc', '--import', 'tsx', script, url, direction, path];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

/** Takes any upload without keeping it, and answers any download with as many bytes. */
async function serve(request: IncomingMessage, response: ServerResponse, received: number[]): Promise<void> {
  let size = 0;
  for await (const piece of request) size += piece.length;
  if (request.method === 'POST') {
    received.push(size);
    response.end(JSON.stringify({ uuid: 'u', message: 'Submission created', sha256: null }));
    return;
  }
  response.writeHead(200, { 'content-length': FILE_BYTES });
  const piece = Buffer.alloc(256 * 1024, 1);
  for (let sent = 0; sent < FILE_BYTES && !response.destroyed; sent += piece.length) {
    if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

/** Bytes that no compression on the way could shrink to nothing are not needed: nothing on the way compresses. */
async function writeLarge(path: string): Promise<void> {
  const file = await open(path, 'w');
  await file.truncate(FILE_BYTES);
  await file.close();
}
