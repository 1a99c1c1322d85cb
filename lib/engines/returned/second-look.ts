/** Inspects files that the disarm service of another provider returned, in a worker thread, under a deadline of processor time. */
import type { Looked, LookRequest } from '../../formats/returned-file.ts';
import { ownWorker } from '../../formats/threads/own-worker.ts';
import { hostWorker, type OnWork, type Silence } from '../../formats/threads/worker-host.ts';

/** Added once to the deadline of the first file, for the thread and its libraries to start. */
const START_MS = 10_000;
/** Heap of the thread in MiB, for a document that becomes a million objects. It is half of the heap of `rebuild` on AWS. */
const HEAP_MB = 1_024;

/** The second look of this process. Close it when there are no more files. */
export interface LocalSecondLook {
  /** Never rejects. */
  readonly look: (request: LookRequest, onWork?: OnWork) => Promise<Looked>;
  close(): Promise<void>;
}

const SILENT: Readonly<Record<Silence, Looked>> = {
  'out of time': { outcome: 'out of time' },
  broke: { outcome: 'refused', fault: 'look-failed', untrustedWhere: 'file' },
  'not started': { outcome: 'not started' },
};

/** Makes a second look with one thread, which starts at the first file and is kept. Files wait for each other. */
export function createSecondLook(): LocalSecondLook {
  const file = ownWorker(import.meta.url, './second-look-worker.cjs');
  const onSilence = (silence: Silence) => SILENT[silence];
  const host = hostWorker<LookRequest, Looked>({ file, startMs: START_MS, heapMb: HEAP_MB, onSilence });
  return {
    look: async (request, onWork) => {
      if (request.workMs <= 0) return SILENT['out of time'];
      // A view would be sent with all the memory behind it.
      return host.ask({ ...request, returned: new Uint8Array(request.returned) }, request.workMs, onWork);
    },
    close: host.close,
  };
}
