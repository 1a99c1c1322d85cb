/** What handlers return beside plain JSON, and the responses that all of it becomes. */
import type { RouteDefinition } from '../contract/common.ts';

/** Bytes that are made as they are sent. */
export interface StreamedContent {
  /** Bytes; null when nobody knows before the end. */
  readonly size: number | null;
  stream(): ReadableStream<Uint8Array>;
}

/** A file as a handler returns it. */
export interface FileAnswer {
  readonly content: Uint8Array | StreamedContent;
  /** ASCII and safe in a header: made by filename.ts or cdr-view.ts. */
  readonly filename: string;
  /** @default what the contract says */
  readonly contentType?: string;
}

/** The 202 of a route that has one. A class, so that it can be told from any JSON. */
export class PendingAnswer {
  constructor(
    readonly body: unknown,
    readonly retryAfterSeconds: number,
  ) {}
}

/** The response of a route for what its handler returned. */
export function toResponse(route: RouteDefinition, value: unknown): Response {
  if (value instanceof PendingAnswer) {
    return Response.json(value.body, { status: 202, headers: { 'retry-after': String(value.retryAfterSeconds) } });
  }
  const body = route.responses[200];
  if (body.kind === 'json') return Response.json(value);
  const { content, filename, contentType = body.contentType } = value as FileAnswer;
  const isHeld = content instanceof Uint8Array;
  const size = isHeld ? content.byteLength : content.size;
  // The cast only says that nobody shares this memory with another thread; a copy would cost the file once more.
  return new Response(isHeld ? (content as Uint8Array<ArrayBuffer>) : content.stream(), {
    headers: {
      'content-type': contentType,
      ...(size !== null && { 'content-length': String(size) }),
      // Only the plain form: public clients misread a filename* beside it.
      'content-disposition': `attachment; filename="${filename}"`,
      // Whatever a browser makes of a file, it runs nothing in it and loads nothing for it.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  });
}
