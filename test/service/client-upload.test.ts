import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import type { AnalysisClientOptions } from '../../lib/service/client/options.ts';
import type { FileToAnalyse } from '../../lib/service/client/upload-source.ts';
import { SandboxForm, UrlBody } from '../../lib/service/contract/v3-requests.ts';
import { type HandlerServer, type Heard, handlerServer, sendJson } from './handler-server.ts';
import { toldTimers } from './told-timers.ts';

const BYTES = randomBytes(700_000);
const SHA256 = createHash('sha256').update(BYTES).digest('hex');
const CREATED = { uuid: 'new', message: 'Submission created', sha256: SHA256 };

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-upload-'));
  path = join(folder, 'invoice.docm');
  await writeFile(path, BYTES);
});
afterAll(() => rm(folder, { recursive: true }));

const servers: HandlerServer[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function against(
  handle: Parameters<typeof handlerServer>[0] = (_, response) => sendJson(response, CREATED),
  options: Partial<AnalysisClientOptions> = {},
) {
  const server = await handlerServer(handle);
  servers.push(server);
  const timing = { sleep: async () => undefined, random: () => 0 };
  return { server, client: new AnalysisClient({ baseUrl: server.url, apiKey: 'k', ...timing, ...options }) };
}

/** The parts of a form, read by the platform's own parser. */
async function partsOf({ headers, body }: Heard): Promise<[string, string | File][]> {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();
  return [...form.entries()];
}

async function sentFile(heard: Heard | undefined): Promise<{ name: string; sha256: string; type: string }> {
  const file = (await partsOf(heard as Heard)).find(([name]) => name === 'file')?.[1] as File;
  const hash = createHash('sha256')
    .update(Buffer.from(await file.arrayBuffer()))
    .digest('hex');
  return { name: file.name, sha256: hash, type: file.type };
}

const inPieces = () => Readable.from([BYTES.subarray(0, 5), BYTES.subarray(5, 300_000), BYTES.subarray(300_000)]);

describe('a file to upload', () => {
  test.each<[string, () => FileToAnalyse, string, boolean]>([
    ['a path', () => path, 'invoice.docm', true],
    ['a file URL', () => pathToFileURL(path), 'invoice.docm', true],
    ['a path under another name', () => ({ path, filename: 'x.doc' }), 'x.doc', true],
    ['bytes', () => BYTES, 'file', true],
    ['named bytes', () => ({ bytes: BYTES, filename: 'a.doc' }), 'a.doc', true],
    ['a Blob', () => new Blob([BYTES]), 'file', true],
    ['a File', () => new File([BYTES], 'b.doc'), 'b.doc', true],
    ['a Node stream', () => inPieces(), 'file', false],
    ['a stream of known length', () => ({ bytes: inPieces(), filename: 's', sizeBytes: BYTES.length }), 's', true],
    ['a web stream', () => new Blob([BYTES]).stream() as unknown as AsyncIterable<Uint8Array>, 'file', false],
  ])('can be %s, and arrives byte for byte', async (_, file, name, hasLength) => {
    const { client, server } = await against();
    expect((await client.createStaticSubmission(file())).uuid).toBe('new');
    expect(await sentFile(server.heard[0])).toEqual({ name, sha256: SHA256, type: 'application/octet-stream' });
    const { headers, body } = server.heard[0] as Heard;
    expect(headers['content-length']).toBe(hasLength ? String(body.length) : undefined);
  });

  test('of no bytes is still a file', async () => {
    const { client, server } = await against();
    await client.createStaticSubmission({ bytes: new Uint8Array(), filename: 'empty' });
    expect((await partsOf(server.heard[0] as Heard)).map(([name]) => name)).toEqual(['file']);
  });

  test.each([
    ['a"; name="private', 'a%22; name=%22private'],
    ['a\r\nx: y\r\n\r\n', 'a%0D%0Ax: y%0D%0A%0D%0A'],
    ['Rechnung für März ✓.pdf', 'Rechnung für März ✓.pdf'],
  ])('named %j cannot break out of its header', async (filename, written) => {
    const { client, server } = await against();
    await client.createStaticSubmission({ bytes: Buffer.from('x'), filename });
    const text = server.heard[0]?.body.toString('utf8') ?? '';
    expect(text).toContain(`filename="${written}"\r\n`);
    expect(await partsOf(server.heard[0] as Heard)).toHaveLength(1);
  });

  test.each([
    ['a path that does not exist', () => join(folder, 'nowhere'), /cannot be read/],
    ['a folder', () => folder, /not a regular file/],
    ['a stream that is shorter than announced', () => ({ bytes: inPieces(), sizeBytes: 800_000 }), /changed while/],
    ['a stream that is longer than announced', () => ({ bytes: inPieces(), sizeBytes: 10 }), /changed while/],
    ['a stream of text', () => Readable.from(['text']) as AsyncIterable<never>, /stream of bytes/],
    ['a stream that fails', () => Readable.from(failing()), /could not be read to its end/],
  ])('that is %s is refused with an UploadSourceError', async (_, file, message) => {
    const { client } = await against();
    const sent = client.createStaticSubmission(file());
    await expect(sent).rejects.toMatchObject({ code: 'UPLOAD_SOURCE', retryable: false });
    await expect(sent).rejects.toThrow(message);
  });
});

async function* failing() {
  yield BYTES.subarray(0, 100_000);
  throw new Error('disk');
}

describe('a form', () => {
  const options = {
    private: true,
    entrypoint: 'run.exe',
    password: 'infected',
    environment: 'w10_x64',
    metafields: { timeout: 120, internet_connection: true },
    configurations: { startArguments: '-q' },
    autoSelectEnvironment: false,
  };

  test('of a sandbox carries every field of the contract', async () => {
    const { client, server } = await against();
    await client.createSandboxSubmission(BYTES, options);
    const parts = await partsOf(server.heard[0] as Heard);
    expect(parts.map(([name]) => name).sort()).toEqual(Object.keys(SandboxForm.shape).sort());
    const { file, ...fields } = Object.fromEntries(parts);
    expect(file).toBeInstanceOf(File);
    expect(fields).toEqual({
      private: 'true',
      entrypoint: 'run.exe',
      password: 'infected',
      environment: 'w10_x64',
      metafields: '[{"key":"timeout","value":"120"},{"key":"internet_connection","value":"true"}]',
      configurations: '{"startArguments":"-q"}',
      autoSelectEnvironment: 'false',
    });
  });

  test('can write metafields as an object with values as they are', async () => {
    const { client, server } = await against(undefined, { metafieldsForm: 'object' });
    await client.createSandboxSubmission(BYTES, options);
    const parts = Object.fromEntries(await partsOf(server.heard[0] as Heard));
    expect(parts.metafields).toBe('{"timeout":120,"internet_connection":true}');
  });

  test.each([
    ['last', undefined],
    ['last', 'last'],
    ['first', 'first'],
  ] as const)('has its file %s when asked for %s', async (where, filePart) => {
    const { client, server } = await against(undefined, filePart ? { filePart } : {});
    await client.createCdrSubmission(BYTES, { private: false, password: 'p' });
    const names = (await partsOf(server.heard[0] as Heard)).map(([name]) => name);
    expect(where === 'first' ? names[0] : names.at(-1)).toBe('file');
    expect(names).toHaveLength(3);
  });

  test('leaves out what was not given', async () => {
    const { client, server } = await against();
    await client.createSandboxSubmission(BYTES, {});
    expect((await partsOf(server.heard[0] as Heard)).map(([name]) => name)).toEqual(['file']);
  });

  test('of a URL is JSON with every field of the contract', async () => {
    const { client, server } = await against();
    const url = { private: true, safeBrowsing: false, metafields: { a: 1 }, configurations: {} };
    await client.createUrlSubmission('https://a.test/', url);
    const [{ headers, body }] = server.heard as [Heard];
    expect(headers['content-type']).toBe('application/json');
    expect(Object.keys(JSON.parse(body.toString())).sort()).toEqual(Object.keys(UrlBody.shape).sort());
  });
});

describe('an upload whose answer was lost', () => {
  const found = {
    uuid: 'made',
    type: 'file',
    level: 'unknown',
    createdAt: new Date().toISOString(),
    reports: [{ type: 'static', status: 'accepted' }],
  };
  /** Breaks the connection of the first upload after reading all of it, and knows the file from then on. */
  const losing = (listed: object) => (request: Heard, response: Parameters<typeof sendJson>[0], at: number) => {
    if (at === 0) response.destroy();
    else sendJson(response, request.method === 'GET' ? [listed] : CREATED);
  };

  test('is found by its hash, also when it was a stream that cannot be sent again', async () => {
    const { client, server } = await against(losing(found));
    expect((await client.createStaticSubmission(inPieces())).uuid).toBe('made');
    expect(server.heard.map(({ url }) => url)).toEqual(['/submissions/static', `/submissions/search/sha256/${SHA256}`]);
  });

  test('is sent again from a path when nothing was made', async () => {
    const { client, server } = await against(losing({ ...found, reports: [] }));
    expect((await client.createStaticSubmission(path)).uuid).toBe('new');
    expect(await sentFile(server.heard[2])).toMatchObject({ sha256: SHA256 });
  });

  test('that was a stream must be repeated by the caller when nothing was made', async () => {
    const { client, server } = await against(losing({ ...found, reports: [] }));
    await expect(client.createStaticSubmission(inPieces())).rejects.toMatchObject({ code: 'NETWORK' });
    expect(server.heard).toHaveLength(2);
  });

  test('is not taken for a submission of another privacy', async () => {
    const { client, server } = await against(losing({ ...found, private: false }));
    expect((await client.createStaticSubmission(path, { private: true })).uuid).toBe('new');
    expect(server.heard).toHaveLength(3);
  });
});

test('an upload that is longer than the deadline of a call is not cut off while bytes are sent', async () => {
  const deadline = toldTimers(500);
  const { client } = await against(undefined, { timeoutMs: 500 });
  async function* slowly() {
    for (let at = 0; at < 8; at += 1) {
      // However long the next piece takes: no deadline is set while it is read.
      await new Promise(setImmediate);
      expect(deadline.ring()).toBe(0);
      yield BYTES.subarray(at * 1_000, (at + 1) * 1_000);
    }
  }
  expect((await client.createStaticSubmission({ bytes: slowly(), filename: 'slow' })).uuid).toBe('new');
});

test('an upload that takes longer than a transfer may is ended', async () => {
  const silent: Parameters<typeof handlerServer>[0] = ({ method }, response) => {
    if (method === 'GET') sendJson(response, []);
  };
  const { client } = await against(silent, { transferTimeoutMs: 50 });
  await expect(client.createStaticSubmission(inPieces())).rejects.toMatchObject({
    code: 'REQUEST_TIMEOUT',
    timeoutMs: 50,
  });
});
