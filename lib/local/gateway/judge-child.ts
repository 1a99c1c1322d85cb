/** A process that judges, seen from the gateway that started it. */
import { fork } from 'node:child_process';
import type { Early } from '../../pipeline/ledger/early-record.ts';
import type { IntakeObject } from '../../pipeline/ledger/intake-object.ts';
import { SECRET_VARIABLE } from '../options/secret-variable.ts';
import type { StoredMode } from '../session/session.ts';
import type { FromJudge, JudgedOutcome, Opening, ToJudge } from './judge-messages.ts';

export interface JudgeChild {
  /** Resolves with null when its session is open, or with the reason why it cannot be opened. */
  readonly opened: Promise<string | null>;
  readonly ended: Promise<void>;
  /** Returns the outcome of a mail, after everything that went out before was taken; null when the process ended first. */
  scan(label: string, intake: IntakeObject, mode: StoredMode): Promise<JudgedOutcome | null>;
  /** Returns the mails that it has. */
  inProgress(): number;
  /** Returns the bytes of memory that it had at its last outcome. */
  residentBytes(): number;
  /** Ends the work in progress. */
  abort(): void;
  /** Ends the process. */
  close(): Promise<void>;
}

/** A mail for whose outcome somebody waits. */
interface Pending {
  take(early: Early): void;
  end(outcome: JudgedOutcome | null): void;
}

const ENTRY = new URL('./judge-entry.mjs', import.meta.url);
/**
 * Options of V8. A gateway has more processes than processors, so a collector that is spread over four threads takes the processor from
 * other mail, and costs more of it. With a larger room for new objects, fewer of them are copied: most are dropped when their mail ends.
 *
 * The collector marks old objects in one go. Each 64 MB of buffers make V8 begin to mark, and mail of a megabyte fills that by a handful. Marking
 * in small steps beside the work then took a third of the processor time. Nobody waits for a pause of this process.
 */
const COLLECTOR = [
  '--single-threaded-gc',
  '--no-incremental-marking',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
];
/** Milliseconds in which a process closes its engines. After that it is killed. All of its decisions are on the disk. */
const CLOSE_MS = 5_000;

/** Starts a process and opens a session in it. `onSaid` receives its lines for stderr. */
export function startJudge(opening: Opening, onSaid: (text: string) => void, entry: URL = ENTRY): JudgeChild {
  const child = fork(entry, [], {
    // Hostile bytes must not run beside secrets, and the loaders of this process may be missing there.
    ...{ env: withoutSecrets(opening.env), execArgv: COLLECTOR },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const pending = new Map<number, Pending>();
  let [numbers, residentBytes] = [0, 0];
  let tellOpened: (refusal: string | null) => void = () => undefined;
  const opened = new Promise<string | null>((resolve) => {
    tellOpened = resolve;
  });
  // An ended process answers nobody, and `ended` says so.
  const tell = (message: ToJudge) => void child.send(message, () => undefined);
  const ended = new Promise<void>((resolve) => {
    for (const event of ['exit', 'error'] as const)
      child.once(event, () => {
        tellOpened('The process that judges mail ended before it began.');
        for (const { end } of pending.values()) end(null);
        pending.clear();
        resolve();
      });
  });
  child.on('message', (said) => {
    const message = said as FromJudge;
    if (message.kind === 'open') tellOpened(null);
    if (message.kind === 'refused') tellOpened(message.message);
    if (message.kind === 'said') onSaid(message.text);
    if (message.kind === 'first') pending.get(message.number)?.take(message.early);
    if (message.kind !== 'outcome') return;
    residentBytes = message.residentBytes;
    pending.get(message.number)?.end(message.outcome);
    pending.delete(message.number);
  });
  tell({ kind: 'open', opening });
  return {
    opened,
    ended,
    scan(label, intake, { isOnce, onFirst }) {
      if (!child.connected) return Promise.resolve(null);
      numbers += 1;
      const number = numbers;
      return new Promise((resolve) => {
        let taken = Promise.resolve();
        pending.set(number, {
          take(early) {
            taken = onFirst?.(early) ?? taken;
          },
          end: (outcome) => void taken.finally(() => resolve(outcome)),
        });
        tell({ kind: 'scan', number, label, intake, isOnce });
      });
    },
    inProgress: () => pending.size,
    residentBytes: () => residentBytes,
    abort: () => tell({ kind: 'abort' }),
    async close() {
      if (child.connected) tell({ kind: 'close' });
      const last = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS);
      await ended;
      clearTimeout(last);
    },
  };
}

function withoutSecrets(env: Opening['env']): Opening['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET_VARIABLE.test(name)));
}
