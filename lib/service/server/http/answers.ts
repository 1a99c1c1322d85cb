/** The results of handlers besides plain JSON, and the responses made of them. */
import type { RouteDefinition } from '../../contract/common.ts';

/** Bytes that are produced while they are sent. */
export interface StreamedContent {
  /** Size in bytes; null when it is not known before the end. */
  readonly size: number | null;
  stream(): ReadableStream<Uint8Array>;
}

/** A file as a handler returns it. */
export interface FileAnswer {
  readonly content: Uint8Array | StreamedContent;
  /** ASCII and safe in a header: made by filename.ts or cdr-view.ts. */
  readonly filename: string;
  /** @default the type in the contract */
  readonly contentType?: string;
}

/** The 202 answer of a route. It is a class, so that it differs from any JSON. */
export class PendingAnswer {
  constructor(
    readonly body: unknown,
    readonly retryAfterSeconds: number,
  ) {}
}

/** Returns the response of a route for what its handler returned. */
export function toResponse(route: RouteDefinition, value: unknown): Response {
  if (value instanceof PendingAnswer) {
    return Response.json(value.body, { status: 202, headers: { 'retry-after': String(value.retryAfterSeconds) } });
  }
  const body = route.responses[200];
  if (body.kind === 'json') return Response.json(value);
  const { content, filename, contentType = body.contentType } = value as FileAnswer;
  const isHeld = content instanceof Uint8Array;
  const size = isHeld ? content.byteLength : content.size;
  // The cast says that no other thread shares this memory. A copy would take the memory of the file again.
  return new Response(isHeld ? (content as Uint8Array<ArrayBuffer>) : content.stream(), {
    headers: {
      'content-type': contentType,
      ...(size !== null && { 'content-length': String(size) }),
      // Only the plain form is sent, because public clients misread a filename* beside it.
      'content-disposition': `attachment; filename="${filename}"`,
      // A browser must not run or load anything, for any type that it assumes.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  });
}
