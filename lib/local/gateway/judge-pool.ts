/**
 * The processes that judge the mail of a gateway. The first starts with the gateway, the others when there is more to do. When one of them
 * ends, each of its mails is judged once more, alone in a separate process. So the mail that ended it cannot end another.
 */
import type { IntakeObject } from '../../pipeline/ledger/intake-object.ts';
import { type Console, UsageError } from '../console.ts';
import type { StoredMode } from '../session/session.ts';
import { type JudgeChild, startJudge } from './judge-child.ts';
import type { JudgedOutcome, Opening } from './judge-messages.ts';

export interface JudgePoolOptions {
  readonly opening: Opening;
  /** The most processes that judge at the same time. */
  readonly processes: number;
  /** Aborted when the work in progress must end. */
  readonly signal: AbortSignal;
  /** Receives the messages of the first process. */
  readonly stderr: Console['stderr'];
  /** The first file of a process, for tests. @default judge-entry.mjs beside this file */
  readonly entry?: URL;
}

export interface JudgePool {
  /** Like the method of a session. Never rejects. */
  scanStored(label: string, intake: IntakeObject, mode: StoredMode): Promise<JudgedOutcome>;
  /** Returns the bytes of memory that all processes use, by their last report. */
  residentBytes(): number;
  /** Ends all processes. */
  close(): Promise<void>;
}

/** Opens the pool and its first process. Throws UsageError when a session cannot be opened. */
export async function openJudgePool({
  opening,
  processes,
  signal,
  stderr,
  entry,
}: JudgePoolOptions): Promise<JudgePool> {
  const living = new Set<JudgeChild>();
  const pooled = new Set<JudgeChild>();
  let lastAlone: Promise<unknown> = Promise.resolve();

  const start = (sets: readonly Set<JudgeChild>[], onSaid: (text: string) => void): JudgeChild => {
    const child = startJudge(opening, onSaid, entry);
    for (const set of sets) set.add(child);
    void child.ended.then(() => {
      for (const set of sets) set.delete(child);
    });
    return child;
  };
  const leastBusy = (): JudgeChild => {
    const [first] = [...pooled].sort((one, other) => one.inProgress() - other.inProgress());
    if (first !== undefined && (first.inProgress() === 0 || pooled.size >= processes)) return first;
    return start([living, pooled], () => undefined);
  };
  const alone = async (label: string, intake: IntakeObject, mode: StoredMode): Promise<JudgedOutcome> => {
    const child = start([living], () => undefined);
    try {
      return (await child.scan(label, intake, mode)) ?? broken(label);
    } finally {
      await child.close();
    }
  };
  const abort = () => {
    for (const child of living) child.abort();
  };

  const first = start([living, pooled], (text) => stderr.write(text));
  const refusal = await first.opened;
  if (refusal !== null) {
    await first.close();
    throw new UsageError(refusal);
  }
  signal.addEventListener('abort', abort);
  return {
    async scanStored(label, intake, mode) {
      const outcome = await leastBusy().scan(label, intake, mode);
      if (outcome !== null) return outcome;
      const again = lastAlone.then(() => (signal.aborted ? broken(label) : alone(label, intake, mode)));
      lastAlone = again;
      return await again;
    },
    residentBytes: () => [...living].reduce((sum, child) => sum + child.residentBytes(), 0),
    async close() {
      signal.removeEventListener('abort', abort);
      await Promise.all([...living].map((child) => child.close()));
    },
  };
}

const broken = (input: string): JudgedOutcome => ({
  ...{ input, state: 'failed', code: 'run_failed' },
  message: 'The process that judged it ended before it was done.',
});
