/**
 * A process that judges the mail of a gateway. A mail that keeps a processor busy, or ends its process, then stops no other mail from being
 * taken. The process obeys its gateway, and ends with it.
 */
import { Readable, Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { optimiseWasmLater } from '../../formats/threads/wasm-tiering.ts';
import type { Early } from '../../pipeline/ledger/early-record.ts';
import type { Console } from '../console.ts';
import { eventsOf } from '../input/event-file.ts';
import { EXIT } from '../outcome.ts';
import { type PagePlace, tryNewestMailFile } from '../report/html-report.ts';
import { openSessionUnder } from '../session/engine-session.ts';
import type { Session } from '../session/session.ts';
import { type FromJudge, judgedOutcome, type Opening, type ToJudge } from './judge-messages.ts';
import { residentBytes } from './resident-bytes.ts';

/** The members of `process` that are used here. */
type Self = Pick<NodeJS.Process, 'exit' | 'on' | 'send'>;

/**
 * The mails for which judge-entry.mjs has functions optimised late. A process that lives on has its functions optimised as usual from then
 * on: otherwise each mail costs a tenth more until it has had thousands.
 */
const NEW_FOR_MAILS = 250;
/** The setting of V8 in Node 20, which judge-entry.mjs raises. */
export const USUAL_BUDGET = '--interrupt-budget=67584';

/** The gateway itself ends its processes, after their mails have ended. A signal to the whole group must not come first. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Serves the gateway that started this process. Called once, before its first message. */
export function serveJudgements(self: Self): void {
  optimiseWasmLater();
  const stop = new AbortController();
  let opened: Promise<Session | null> = Promise.resolve(null);
  let place: PagePlace | null = null;
  let pages = Promise.resolve();
  const tell = (message: FromJudge) => void self.send?.(message);
  for (const signal of SIGNALS) self.on(signal, () => undefined);
  // Without its gateway, nobody would get its results. The next gateway judges again.
  self.on('disconnect', () => self.exit(EXIT.failed));
  let mails = 0;
  const scan = async ({ number, label, intake, isOnce }: Extract<ToJudge, { kind: 'scan' }>) => {
    mails += 1;
    if (mails === NEW_FOR_MAILS && process.version.startsWith('v20.')) setFlagsFromString(USUAL_BUDGET);
    const onFirst = async (early: Early) => tell({ kind: 'first', number, early });
    const session = await opened;
    const outcome = (await session?.scanStored(label, intake, { isOnce, onFirst })) ?? {
      ...{ input: label, state: 'failed' as const, code: 'run_failed' },
      message: 'The process that judges was not opened.',
    };
    tell({ kind: 'outcome', number, outcome: judgedOutcome(outcome), residentBytes: residentBytes() });
    // The gateway already knows the end of the mail. So no mail waits for its page, and none is held for it.
    const at = place;
    if (session === null || at === null || !('ledger' in outcome)) return;
    const say = (text: string) => tell({ kind: 'said', text });
    const { ledger } = outcome;
    pages = pages
      .then(() => tryNewestMailFile(at, ledger.runId, ledger, session.ledgerOf, say))
      .catch((error: unknown) => say(`The page of run ${ledger.runId}: ${String(error)}\n`));
  };
  self.on('message', async (said: unknown) => {
    const message = said as ToJudge;
    if (message.kind === 'open') {
      const { pages: asked, out } = message.opening;
      place = asked && { ...asked, out };
      opened = open(message.opening, stop.signal, tell);
    }
    if (message.kind === 'scan') await scan(message);
    if (message.kind === 'abort') stop.abort();
    if (message.kind === 'close') {
      stop.abort();
      await (await opened)?.close();
      await pages;
      self.exit(EXIT.delivered);
    }
  });
}

/** Opens the session. Returns null when it cannot be opened, and tells the gateway. */
async function open(
  { policy, options, out, concurrentStages, env }: Opening,
  signal: AbortSignal,
  tell: (message: FromJudge) => void,
): Promise<Session | null> {
  try {
    const settings = { ...eventsOf({ env }), out, signal, concurrentStages, isLasting: true, onStage: () => undefined };
    const session = await openSessionUnder(policy, consoleOver(env, signal, tell), options, settings);
    tell({ kind: 'open' });
    return session;
  } catch (error) {
    tell({ kind: 'refused', message: error instanceof Error ? error.message : String(error) });
    return null;
  }
}

function consoleOver(env: Opening['env'], signal: AbortSignal, tell: (message: FromJudge) => void): Console {
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      tell({ kind: 'said', text: chunk.toString('utf8') });
      done();
    },
  });
  return { stdin: Readable.from([]), stdout: stderr, stderr, env, signal };
}
