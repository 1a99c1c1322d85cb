/** Checks the signatures of hostile mail in a worker thread, under a deadline of processor time. */
import { ownWorker } from '../threads/own-worker.ts';
import { hostWorker, type OnWork, type Silence } from '../threads/worker-host.ts';
import { type SignatureCheck, type SignatureRequest, unchecked } from './signature-check.ts';

/** Added once to the deadline of the first signature, for the thread and its libraries to start. */
const START_MS = 5_000;

/** A reader of signatures of this process. Close it when there is nothing more to check. */
export interface LocalSignatureReader {
  /** Never rejects. The result says what could not be checked. */
  readonly check: (request: SignatureRequest, onWork?: OnWork) => Promise<SignatureCheck>;
  close(): Promise<void>;
}

const SILENT: Readonly<Record<Silence, SignatureCheck>> = {
  'out of time': unchecked('it took longer to check than is allowed'),
  broke: unchecked('it crashed its reader'),
  'not started': unchecked('signatures cannot be checked here'),
};

/** Makes a reader with one thread, which starts with the first signature and is kept for the next. Signatures wait for each other. */
export function createSignatureReader(): LocalSignatureReader {
  const file = ownWorker(import.meta.url, './signature-worker.cjs');
  const onSilence = (silence: Silence) => SILENT[silence];
  const host = hostWorker<SignatureRequest, SignatureCheck>({ file, startMs: START_MS, onSilence });
  return {
    check: async (request, onWork) =>
      request.workMs <= 0 ? SILENT['out of time'] : host.ask(request, request.workMs, onWork),
    close: host.close,
  };
}
