/**
 * The child process of client-upload.ts: one client that moves one large file, and nothing else whose memory would count. Takes
 * the base URL, the direction and a path; prints how far its memory grew, in bytes, as JSON.
 */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { AnalysisClient } from '../../lib/service/client/client.ts';

const SAMPLE_MS = 2;
const UUID = '5b7e1f0e-5a3c-4a0e-9c8b-3f1f4f3f2a11';

const [, , baseUrl = '', direction = '', path = ''] = process.argv;
const client = new AnalysisClient({ baseUrl, apiKey: 'bench-key' });

/** What Node itself takes for such a stream, with no client of ours. */
async function pipedByNode(): Promise<void> {
  const request = httpRequest(baseUrl, { method: 'POST' });
  const [[response]] = await Promise.all([once(request, 'response'), pipeline(createReadStream(path), request)]);
  response.resume();
}

const TRANSFERS: Readonly<Record<string, () => Promise<unknown>>> = {
  node: pipedByNode,
  path: () => client.createStaticSubmission(path),
  stream: () => client.createStaticSubmission({ bytes: createReadStream(path), filename: 'large' }),
  save: async () => (await client.downloadSample(UUID)).save(`${path}.saved`),
};

const transfer = TRANSFERS[direction];
if (!transfer) throw new TypeError(`no transfer ${direction}`);
// The first call loads code and opens the connection; only what the file itself costs is asked for.
await client.createStaticSubmission(Buffer.alloc(1_000_000));
globalThis.gc?.();
const before = process.memoryUsage.rss();
let peak = before;
const timer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, SAMPLE_MS);
const started = performance.now();
await transfer();
const elapsedMs = performance.now() - started;
clearInterval(timer);
process.stdout.write(JSON.stringify({ grewBytes: peak - before, elapsedMs }));
