/**
 * Opens archives in a worker thread, under the deadline of their allowance, which is processor time. A small zip that every program
 * reads alike is opened in the calling thread.
 */
import { ownWorker } from '../threads/own-worker.ts';
import { hostWorker, type OnWork, type Silence } from '../threads/worker-host.ts';
import { openPlainZip } from './plain-zip.ts';
import { type Unpacked, type UnpackRequest, unopenedArchive } from './unpacking.ts';

/** Added to an archive's time for its libraries to load. */
const START_MS = 5_000;

export interface UnpackerOptions {
  /** First file of the thread. @default the bundled worker beside this file, else the one of the checkout */
  readonly workerFile?: URL;
  /** Milliseconds of work beyond an archive's own before its thread is ended. @default enough for a thread to start */
  readonly startMs?: number;
}

/** An unpacker of this process. Close it when there is nothing more to open. */
export interface LocalUnpacker {
  /** Never rejects. The outcome says when an archive cannot be opened, here or at all. */
  readonly unpack: (request: UnpackRequest, onWork?: OnWork) => Promise<Unpacked>;
  close(): Promise<void>;
}

/** Returns an unpacker with one thread, which starts with the first archive and is kept for the next. Archives wait for each other. */
export function createUnpacker({ workerFile, startMs = START_MS }: UnpackerOptions = {}): LocalUnpacker {
  const file = workerFile ?? ownWorker(import.meta.url, './unpack-worker.cjs');
  const host = hostWorker<UnpackRequest, Unpacked>({ file, startMs: 0, onSilence: (silence) => SILENT[silence] });
  return {
    async unpack(request, onWork) {
      const { workMs } = request.allowance;
      if (workMs <= 0) return SILENT['out of time'];
      const plain = request.format === 'zip' ? openPlainZip(request) : null;
      return plain ?? host.ask(request, workMs + startMs, onWork);
    },
    close: host.close,
  };
}

const SILENT: Readonly<Record<Silence, Unpacked>> = {
  'out of time': unopenedArchive('over_budget', 'it took longer to open than is allowed'),
  broke: unopenedArchive('damaged', 'an archive that crashed its reader'),
  'not started': unopenedArchive('unsupported', 'archives cannot be opened here'),
};
