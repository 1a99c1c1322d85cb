/** The bytes of an upload: without the framing of `aws-chunked`, and checked against the checksums that came with them. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { unknown } from '../../assembly/refuse.ts';
import { AwsError } from '../call.ts';

type Headers = Readonly<Record<string, string>>;

/** Throws AwsError when a checksum does not fit. */
export function uploadedBytes(headers: Headers, raw: Buffer): Buffer {
  const isFramed = /aws-chunked/.test(headers['content-encoding'] ?? '');
  const { body, trailer } = isFramed ? unframed(raw) : { body: raw, trailer: {} };
  const given: Headers = { ...headers, ...trailer };
  const declared = given['x-amz-checksum-crc32'];
  if (declared !== undefined && declared !== crc32Of(body))
    throw new AwsError('BadDigest', 400, 'the CRC32 does not fit');
  const sha256 = headers['x-amz-content-sha256'];
  if (!isFramed && sha256 !== undefined && /^[0-9a-f]{64}$/.test(sha256) && sha256 !== sha256Of(body))
    throw new AwsError('XAmzContentSHA256Mismatch', 400, 'the SHA-256 does not fit');
  const other = Object.keys(given).find((name) => /^x-amz-checksum-(crc32c|crc64nvme|sha1|sha256)$/.test(name));
  if (other !== undefined) unknown('checksum', other);
  return body;
}

function crc32Of(body: Buffer): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64');
}

const sha256Of = (body: Buffer) => createHash('sha256').update(body).digest('hex');

/** Chunks of `aws-chunked`: a size in hexadecimal, CRLF, bytes, CRLF; after the last one come the trailers. */
function unframed(raw: Buffer): { readonly body: Buffer; readonly trailer: Headers } {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = raw.indexOf('\r\n', at);
    if (end < 0) throw new AwsError('IncompleteBody', 400, 'a chunk without its size');
    const size = Number.parseInt(raw.toString('latin1', at, end), 16);
    if (size === 0) return { body: Buffer.concat(chunks), trailer: trailersOf(raw.toString('latin1', end + 2)) };
    chunks.push(raw.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function trailersOf(text: string): Headers {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) =>
      line
        .split(/:(.*)/s)
        .slice(0, 2)
        .map((part) => part.trim()),
    ),
  );
}
