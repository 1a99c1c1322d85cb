/**
 * The stream that reports the progress of a dropped file to a page: server-sent events, each with all rows, so that a missed one is no
 * loss.
 */
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { DROP_LIMITS, type Dropped } from '../drops.ts';

/** Streams that are open. */
export interface Watchers {
  count: number;
}

/** Returns a stream until the run has ended or the reader has gone. `view` is called after each change. Refuses when too many are open. */
export function streamOf(
  c: Context,
  watchers: Watchers,
  dropped: Dropped,
  view: () => Promise<string>,
): Response | Promise<Response> {
  if (watchers.count >= DROP_LIMITS.watchers) return c.text('Too many pages watch. Load the page again instead.', 503);
  watchers.count += 1;
  return streamSSE(c, async (stream) => {
    try {
      await tell(stream, dropped, view);
    } finally {
      watchers.count -= 1;
    }
  });
}

async function tell(stream: SSEStreamingApi, dropped: Dropped, view: () => Promise<string>): Promise<void> {
  const gone = new Promise<void>((resolve) => stream.onAbort(resolve));
  for (;;) {
    const { changed, end, version } = dropped;
    await stream.writeSSE({ data: await view(), id: String(version), retry: 2_000 });
    if (end !== null || stream.aborted || stream.closed) return;
    await lifeUntil(stream, Promise.race([changed, gone]));
    if (stream.aborted) return;
  }
}

/** Writes a sign of life now and then until something happens. */
async function lifeUntil(stream: SSEStreamingApi, happens: Promise<void>): Promise<void> {
  const timer = setInterval(() => void stream.write(': \n\n').catch(() => {}), DROP_LIMITS.heartbeatMs);
  try {
    await happens;
  } finally {
    clearInterval(timer);
  }
}
