/** What a file of 100 MB costs the client in memory, on its way up and on its way down. */
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withScratch } from './baselines.ts';
import { type Figure, type Measured, ms, type Part, type Progress, quantity, type Table } from './figure.ts';
import { median } from './statistics.ts';

const FILE_BYTES = 100 * 1024 * 1024;

/** The growth that is allowed, in MB. */
const MAX_GROWTH_MB = 60;
/** Of each, because the garbage collector of a process decides much of its growth. */
const RUNS = 3;

/** The direction, what it is, and whether the target is meant for it. */
const TRANSFERS = [
  ['path', 'upload of a path', true],
  ['stream', 'upload of a stream of the caller', true],
  ['node', 'the same stream sent by node:http alone', false],
  ['save', 'download to a path', false],
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
  const rows: Table['rows'][number][] = [];
  for (const [direction, what, isTarget] of TRANSFERS) {
    progress(what);
    const runs = [];
    for (let run = 0; run < RUNS; run += 1) {
      runs.push(await moved(url, direction, path));
      if (direction !== 'save' && (received.at(-1) ?? 0) < FILE_BYTES)
        throw new Error(`${what}: not all bytes arrived`);
    }
    const grown = runs.map(({ grewBytes }) => grewBytes / 1e6);
    const baselines = [{ name: 'the whole file in memory', value: FILE_BYTES / 1e6 }];
    const atMost = isTarget ? MAX_GROWTH_MB : null;
    figures.push({ name: `${what}: growth`, measured: quantity(median(grown), 'MB'), atMost, baselines });
    const elapsedMs = median(runs.map((run) => run.elapsedMs));
    rows.push([what, ms(elapsedMs), ...grown.map((megabytes) => quantity(megabytes, 'MB'))]);
  }
  const columns = ['', 'time', ...Array.from({ length: RUNS }, (_, run) => `growth ${run + 1}`)];
  const notes = [
    `the median of ${RUNS} processes; growth of the resident set after 1 MB was moved already, sampled every 2 ms`,
    'the pieces of a stream are made by the caller: until they are collected they count here',
  ];
  return { figures, tables: [{ title: 'Each process', columns, rows }], notes };
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
