/** The worker thread of the code reader: one picture or document at a time. */
import { parentPort } from 'node:worker_threads';
import type { CodeRequest, CodesRead } from './code-request.ts';
import { readCodesHere } from './read-codes.ts';

/** The answer when the libraries are not installed. */
const NOTHING: CodesRead = { outcome: 'unreadable', untrustedTexts: [] };

parentPort?.on('message', async (request: CodeRequest) => {
  parentPort?.postMessage(await readCodesHere(request).catch(() => NOTHING));
});
