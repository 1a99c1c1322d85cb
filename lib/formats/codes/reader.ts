/** Reads the codes of hostile pictures and documents in a worker thread, under a deadline of processor time. */
import { ownWorker } from '../threads/own-worker.ts';
import { hostWorker, type OnWork, type Silence } from '../threads/worker-host.ts';
import type { CodeRequest, CodesRead } from './request.ts';

/** Added once to the deadline of the first picture, for the thread and its libraries to start. */
const START_MS = 5_000;

/** A code reader of this process. Close it when there is nothing more to read. */
export interface LocalCodeReader {
  /** Never rejects. The outcome says what could not be read. */
  readonly read: (request: CodeRequest, onWork?: OnWork) => Promise<CodesRead>;
  close(): Promise<void>;
}

const SILENT: Readonly<Record<Silence, CodesRead>> = {
  'out of time': { outcome: 'partly', untrustedTexts: [] },
  broke: { outcome: 'unreadable', untrustedTexts: [] },
  'not started': { outcome: 'unreadable', untrustedTexts: [] },
};

/** Returns a code reader with one thread, which starts with the first picture and is kept for the next. Pictures wait for each other. */
export function createCodeReader(): LocalCodeReader {
  const file = ownWorker(import.meta.url, './codes/code-worker.mjs');
  const onSilence = (silence: Silence) => SILENT[silence];
  const host = hostWorker<CodeRequest, CodesRead>({ file, startMs: START_MS, onSilence });
  return {
    read: async (request, onWork) =>
      request.workMs <= 0 ? SILENT['out of time'] : host.ask(request, request.workMs, onWork),
    close: host.close,
  };
}
