/** Requests as public clients send them over a real socket, byte for byte where it matters. */
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { NET_MS } from '../../runner/net.ts';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON. Throws when it is not JSON. */
  json<T = Record<string, unknown>>(): T;
}

export interface WireRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer | string;
  /** Sends the body in pieces without a length. */
  readonly chunked?: boolean;
}

/** One request with exactly these headers, Host and Connection. Rejects after 20 s, because a connection that hangs is a failure. */
export async function send(
  url: string,
  { method = 'GET', headers = {}, body, chunked }: WireRequest = {},
): Promise<WireAnswer> {
  return await new Promise((resolve, reject) => {
    const length = body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = httpRequest(url, { method, headers: { ...headers, ...length }, agent: false });
    request.setTimeout(NET_MS, () => request.destroy(new Error('no answer')));
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string | undefined>,
          bytes,
          text,
          json: <T>() => JSON.parse(text) as T,
        });
      });
    });
    if (chunked && body !== undefined) {
      const bytes = Buffer.from(body);
      for (let at = 0; at < bytes.byteLength; at += 700) request.write(bytes.subarray(at, at + 700));
    } else if (body !== undefined) request.write(body);
    request.end();
  });
}

export type Field = readonly [name: string, value: string];
export interface FilePart {
  /** The name between the quotes, escaped as the client does it. */
  readonly filename: string;
  readonly bytes: Buffer | string;
  /** @default application/octet-stream; null sends none */
  readonly contentType?: string | null;
}

interface Multipart {
  readonly contentType: string;
  readonly body: Buffer;
}

const fieldPart = ([name, value]: Field) =>
  Buffer.from(`Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`);

const filePart = ({ filename, bytes, contentType = 'application/octet-stream' }: FilePart) =>
  Buffer.concat([
    Buffer.from(`Content-Disposition: form-data; name="file"; filename="${filename}"\r\n`),
    Buffer.from(contentType === null ? '\r\n' : `Content-Type: ${contentType}\r\n\r\n`),
    Buffer.from(bytes),
  ]);

const joined = (boundary: string, parts: readonly Buffer[]): Multipart => ({
  contentType: `multipart/form-data; boundary=${boundary}`,
  body: Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n')]),
    Buffer.from(`--${boundary}--\r\n`),
  ]),
});

/** httpx and requests: the fields first, the file last, a boundary of 32 hexadecimal digits. */
export const fileLast = (fields: readonly Field[], file: FilePart): Multipart =>
  joined('5d2f4a9c1b7e4038a6d1c0ffee123456', [...fields.map(fieldPart), filePart(file)]);

/** fetch with FormData, as the MCP server fills it: the file first. */
export const fileFirst = (file: FilePart, fields: readonly Field[]): Multipart =>
  joined('----formdata-undici-012345678901', [filePart(file), ...fields.map(fieldPart)]);

/** The headers of httpx as the public SDK sets it up. */
export const sdkHeaders = (key: string, userAgent: string): OutgoingHttpHeaders => ({
  'accept-encoding': 'gzip, deflate',
  connection: 'keep-alive',
  authorization: `Bearer ${key}`,
  accept: 'application/json',
  'user-agent': userAgent,
});

/** The file name as the public SDK reads it: everything after the last `filename=`, without quotes. */
export function sdkFilename(disposition: string | undefined): string {
  const after = disposition?.split('filename=').at(-1);
  return after === undefined || after === disposition ? 'download' : after.replace(/^"+|"+$/g, '');
}

/** The file name as the MCP server reads it: the first `filename…=` match. */
export function mcpFilename(disposition: string | undefined): string | undefined {
  return /filename[^;=\n]*=(?:(\\?['"])(.*?)\1|([^;\n]*))/
    .exec(disposition ?? '')
    ?.slice(2)
    .find(Boolean);
}
