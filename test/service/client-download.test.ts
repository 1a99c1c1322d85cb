import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { dispositionFilename, safeFileName } from '../../lib/service/client/content-disposition.ts';
import type { Download } from '../../lib/service/client/download.ts';
import type { AnalysisClientOptions } from '../../lib/service/client/options.ts';
import { roundsOf } from '../hostile/share.ts';
import { type HandlerServer, handlerServer, sendJson } from './handler-server.ts';
import { toldTimers } from './told-timers.ts';

const UUID = '5b7e1f0e-5a3c-4a0e-9c8b-3f1f4f3f2a11';
const BYTES = Buffer.alloc(300_000, 'sanitized ');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-download-'));
});
afterAll(() => rm(folder, { recursive: true }));

const servers: HandlerServer[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A client of a service that answers the nth request with the nth step, and all later ones with the last step. */
async function against(steps: ((response: ServerResponse) => void)[], options: Partial<AnalysisClientOptions> = {}) {
  const server = await handlerServer((_, response, at) => steps[Math.min(at, steps.length - 1)]?.(response));
  servers.push(server);
  const timing = { sleep: async () => undefined, random: () => 0 };
  return { server, client: new AnalysisClient({ baseUrl: server.url, apiKey: 'k', ...timing, ...options }) };
}

const whole = (response: ServerResponse) =>
  response
    .writeHead(200, { 'content-length': BYTES.length, 'content-disposition': 'attachment; filename="clean.docx"' })
    .end(BYTES);
const broken = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': BYTES.length });
  response.write(BYTES.subarray(0, 100_000), () => response.destroy());
};

async function gathered(download: Download): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of download) pieces.push(piece);
  return pieces;
}

describe('a download', () => {
  test('says its name, type and size before it is read', async () => {
    const { client } = await against([whole]);
    const download = await client.downloadCdrSanitized(UUID);
    expect(download).toMatchObject({ filename: 'clean.docx', untrustedFilename: 'clean.docx', size: BYTES.length });
    download.discard();
  });

  test.each<[string, (download: Download) => Promise<Uint8Array>]>([
    ['buffer', (download) => download.buffer(1_000_000)],
    ['stream', async (download) => await buffer(download.stream())],
    ['for await', async (download) => Buffer.concat(await gathered(download))],
    ['save', async (download) => await readFile(await download.save(join(folder, 'new', 'a.docx')))],
  ])('can be read with %s, once', async (_, read) => {
    const { client } = await against([whole]);
    const download = await client.downloadSample(UUID);
    expect(Buffer.from(await read(download)).equals(BYTES)).toBe(true);
    await expect(read(download)).rejects.toMatchObject({ code: 'DOWNLOAD_CONSUMED', retryable: false });
  });

  test.each<[string, (download: Download) => Promise<unknown>]>([
    ['buffer', (download) => download.buffer(1_000_000)],
    ['save', (download) => download.save(join(folder, 'again.docx'))],
  ])('that breaks half way is begun again by %s', async (_, read) => {
    const { client, server } = await against([broken, broken, whole]);
    await read(await client.downloadSample(UUID));
    expect(server.heard).toHaveLength(3);
  });

  test('that is cut off is an error of the stream, and never a short file', async () => {
    const { client } = await against([broken]);
    const download = await client.downloadSample(UUID);
    await expect(gathered(download)).rejects.toMatchObject({ code: 'NETWORK', retryable: true });
  });

  test('that never completes leaves nothing behind, and does not change an older file', async () => {
    const place = await mkdtemp(join(folder, 'kept-'));
    await writeFile(join(place, 'a.docx'), 'older');
    const { client } = await against([broken], { retries: 1 });
    const download = await client.downloadSample(UUID);
    await expect(download.save(join(place, 'a.docx'))).rejects.toMatchObject({ code: 'NETWORK' });
    expect(await readdir(place)).toEqual(['a.docx']);
    expect(await readFile(join(place, 'a.docx'), 'utf8')).toBe('older');
  });

  test('whose service stops sending ends in a timeout', async () => {
    const silent = (response: ServerResponse) => void response.writeHead(200).write('begun');
    const { client } = await against([silent], { timeoutMs: 60, retries: 0 });
    const read = async () => (await client.downloadSample(UUID)).buffer(100);
    await expect(read()).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT', timeoutMs: 60 });
  });

  test('that sends single bytes forever ends in a timeout', async () => {
    const drip = (response: ServerResponse) => {
      const timer = setInterval(() => response.write('.'), 10);
      response.writeHead(200).on('close', () => clearInterval(timer));
    };
    const { client } = await against([drip], { timeoutMs: 10_000, transferTimeoutMs: 120, retries: 0 });
    const read = async () => (await client.downloadSample(UUID)).buffer(1_000_000);
    await expect(read()).rejects.toMatchObject({ timeoutMs: 120 });
  });

  test('is not cut off while its reader is busy', async () => {
    const deadline = toldTimers(400);
    const { client } = await against([whole], { timeoutMs: 400 });
    const download = await client.downloadSample(UUID);
    let size = 0;
    for await (const piece of download) {
      // However long the reader takes: no deadline is set while it is busy.
      expect(deadline.ring()).toBe(0);
      size += piece.length;
    }
    expect(size).toBe(BYTES.length);
  });

  test('ends with the reason of the caller, also while it is read', async () => {
    const stop = new AbortController();
    const { client } = await against([(response) => void response.writeHead(200).write('begun')]);
    const download = await client.downloadSample(UUID, { signal: stop.signal });
    const read = download.buffer(100);
    stop.abort(new Error('enough'));
    await expect(read).rejects.toThrow('enough');
  });
});

describe('a download that fails', () => {
  test('carries the code and the details of the envelope', async () => {
    const details = { submissionUuid: UUID, artifactId: 'a1' };
    const body = { statusCode: 404, error: 'Not Found', message: 'gone', code: 'ARTIFACT_NOT_FOUND', details };
    const { client } = await against([(response) => sendJson(response, body, 404)]);
    await expect(client.downloadArtifact(UUID, 'a1')).rejects.toMatchObject({
      status: 404,
      code: 'ARTIFACT_NOT_FOUND',
      details,
    });
  });

  test('with an envelope that never ends is an error all the same', async () => {
    const endless = (response: ServerResponse) => {
      response.writeHead(500).on('error', () => undefined);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    const { client } = await against([endless], { retries: 0 });
    await expect(client.downloadPcap(UUID)).rejects.toMatchObject({ status: 500, code: 'HTTP_500' });
  });

  test.each<[string, object, Record<string, string>, number]>([
    ['the body', { message: 'wait', retryAfter: 7 }, {}, 7],
    ['the header', { message: 'wait', retryAfter: 7 }, { 'retry-after': '3' }, 3],
    ['nobody', {}, {}, 5],
  ])('because the YARA rule is being made says when to ask again, as %s says', async (_, body, headers, seconds) => {
    const pending = (response: ServerResponse) => response.writeHead(202, headers).end(JSON.stringify(body));
    const { client, server } = await against([pending]);
    await expect(client.downloadYaraRule(UUID)).rejects.toMatchObject({
      name: 'YaraRulePendingError',
      code: 'YARA_RULE_PENDING',
      retryAfterSeconds: seconds,
    });
    expect(server.heard).toHaveLength(1);
  });
});

describe('the name of a download', () => {
  test.each([
    [null, null],
    ['attachment', null],
    ['attachment; filename=report.pdf', 'report.pdf'],
    ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
    ['attachment; filename="a.pdf"; filename*=UTF-8\'\'na%C3%AFve.pdf', 'naïve.pdf'],
    ["attachment; filename*=utf-8'en'na%C3%AFve.pdf; filename=a.pdf", 'naïve.pdf'],
    ["attachment; filename*=iso-8859-1''na%EFve.pdf", 'naïve.pdf'],
    ["attachment; filename*=UTF-8''%ff; filename=a.pdf", 'a.pdf'],
    ["attachment; filename*=klingon''a; filename=a.pdf", 'a.pdf'],
    ['attachment; FileName = "a.pdf" ; size=3', 'a.pdf'],
    ['attachment; filename=a.pdf; filename=b.pdf', 'a.pdf'],
    [`attachment; filename="${Buffer.from('naïve').toString('latin1')}"`, 'naïve'],
    ['attachment; filename="na\u00efve"', 'naïve'],
    ['attachment; filename=""', ''],
  ])('in %j is %j', (header, name) => {
    expect(dispositionFilename(header)).toBe(name);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\win.ini', 'win.ini'],
    ['..', 'download'],
    ['', 'download'],
    ['.bashrc', 'bashrc'],
    ['a\u202efdp.exe', 'afdp.exe'],
    ['a\u0000\u001b[2J.txt', 'a[2J.txt'],
    ['a:b|c?.txt. ', 'a_b_c_.txt'],
    ['NUL', '_NUL'],
    ['com1.txt', '_com1.txt'],
    [`${'x'.repeat(500)}.docx`, `${'x'.repeat(115)}.docx`],
  ])('%j becomes the path segment %j', (untrusted, safe) => {
    expect(safeFileName(untrusted)).toBe(safe);
  });

  test('is one segment of a path with any answer of the service', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (untrusted) => {
        const name = safeFileName(dispositionFilename(`attachment; filename="${untrusted}"`) ?? untrusted);
        expect(basename(name)).toBe(name);
        expect(name).not.toMatch(/^\.|[\p{Cc}\p{Cf}\p{Cs}\\/:*?"<>|]/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name.length).toBeGreaterThan(0);
      }),
      { numRuns: roundsOf(500) },
    );
  });
});
