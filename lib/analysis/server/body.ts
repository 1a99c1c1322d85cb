/** Reading request bodies without trusting their size. */
import { ServiceError } from './service-error.ts';

export interface BodyLimits {
  /** Bytes kept. One more ends in PAYLOAD_TOO_LARGE. */
  readonly maxBytes: number;
  /** Bytes read and thrown away after that, so that a sender still busy sending gets the answer and not a broken pipe. */
  readonly discardedBytes: number;
}

/** The whole body. Throws ServiceError PAYLOAD_TOO_LARGE, by Content-Length before reading and by counting while reading. */
export async function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? '0');
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > limits.maxBytes + limits.discardedBytes) break;
      // The declared length may lie; the count does not. Nothing beyond the limit is kept.
      if (declared <= limits.maxBytes && size <= limits.maxBytes) chunks.push(value);
      else chunks.length = 0;
    }
  } catch {
    throw new ServiceError('INVALID_BODY', { message: 'the request body ended early' });
  }
  if (size > limits.maxBytes || declared > limits.maxBytes) {
    throw new ServiceError('PAYLOAD_TOO_LARGE', { details: { maxBytes: limits.maxBytes } });
  }
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** The body as JSON. Throws ServiceError INVALID_BODY for anything that is not JSON in UTF-8. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ServiceError('INVALID_BODY', { message: 'the request body is not JSON' });
  }
}
