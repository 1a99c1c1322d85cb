/** Reads request bodies without trusting their size. */
import { ServiceError } from '../service-error.ts';
import { hasRepeatedKey } from './repeated-key.ts';

export interface BodyLimits {
  /** The most bytes that are returned. One more byte ends in PAYLOAD_TOO_LARGE. */
  readonly maxBytes: number;
  /** Bytes that are read and dropped after that, so that a sender that is still sending gets the answer. */
  readonly discardedBytes: number;
}

/** A body, piece by piece. */
export interface BodyReader {
  /** Returns the next piece, or null at the end. Throws ServiceError PAYLOAD_TOO_LARGE and INVALID_BODY. */
  next(): Promise<Uint8Array | null>;
  /** Reads and drops the rest, up to a limit. Never throws. */
  drain(): Promise<void>;
}

/** Reads a body. One that is too large is refused by its Content-Length, or by counting during the reading. */
export function bodyReader(request: Request, limits: BodyLimits): BodyReader {
  const reader = request.body?.getReader();
  const isTooLong = Number(request.headers.get('content-length') ?? '0') > limits.maxBytes;
  let size = 0;
  const read = async () => {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    size += value?.byteLength ?? 0;
    return done ? null : (value ?? null);
  };
  return {
    next: async () => {
      const piece = isTooLong ? null : await read().catch(() => unreadable());
      // The declared length may be false, but the count is right. No byte beyond the limit is returned.
      if (isTooLong || size > limits.maxBytes) throw tooLarge(limits.maxBytes);
      return piece;
    },
    drain: async () => {
      const end = size + limits.discardedBytes;
      try {
        while (size <= end && (await read()) !== null);
      } catch {
        // The sender has gone, so nobody can be answered.
      }
    },
  };
}

/** Returns the refusal of a body that is larger than the service accepts. */
export const tooLarge = (maxBytes: number) => new ServiceError('PAYLOAD_TOO_LARGE', { details: { maxBytes } });

function unreadable(): never {
  throw new ServiceError('INVALID_BODY', { message: 'the request body ended early' });
}

/** Checks that a body is not packed. Throws ServiceError UNSUPPORTED_ENCODING: packed bytes would be judged in the place of the file. */
export function requirePlainBody(headers: Headers): void {
  const isPlain = /^(?:identity)?$/i.test(headers.get('content-encoding') ?? '');
  if (!isPlain || !/^(?:chunked)?$/i.test(headers.get('transfer-encoding') ?? '')) {
    throw new ServiceError('UNSUPPORTED_ENCODING');
  }
}

/** Returns a small body as a whole. Throws like the reader. */
export async function readWhole(body: BodyReader): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let piece = await body.next(); piece !== null; piece = await body.next()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/**
 * Returns the body as JSON. Throws ServiceError INVALID_BODY for anything that is not JSON in UTF-8, and for a key that stands twice in an
 * object: of `{"private":true,"private":false}` programs read the first or the last.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const { text, value } = jsonIn(bytes);
  if (hasRepeatedKey(text))
    throw new ServiceError('INVALID_BODY', { message: 'a key stands twice in one object of the request body' });
  return value;
}

function jsonIn(bytes: Uint8Array): { readonly text: string; readonly value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    throw new ServiceError('INVALID_BODY', { message: 'the request body is not JSON' });
  }
}
