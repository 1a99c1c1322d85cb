/** The worker thread of the code reader: one picture or document at a time. */
import { parentPort } from 'node:worker_threads';
import type { CodeRequest, CodesRead } from '../../message/urls/source.ts';
import { readCodesHere } from './read-codes.ts';

export interface CodesAnswer {
  /** Null when the libraries are not here. */
  readonly codes: CodesRead | null;
}

parentPort?.on('message', async (request: CodeRequest) => {
  const codes = await readCodesHere(request).catch(() => null);
  parentPort?.postMessage({ codes } satisfies CodesAnswer);
});
