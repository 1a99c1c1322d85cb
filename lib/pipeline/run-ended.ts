/** The log line of the end of a run, from which an operator's metrics are counted. It holds counts and codes and nothing of the message. */
import type { StoreContext } from './context.ts';
import type { Ledger, Terminal } from './ledger.ts';
import type { Disposition } from './model.ts';

/** Logs the end of a run. A stage that is repeated logs it again. */
export function logRunEnded(ctx: StoreContext, ledger: Ledger, state: Terminal['state']): void {
  const { runId, bornAt, parts, artifacts, polls, reasons } = ledger;
  const count = (disposition: Disposition) => parts.filter((part) => part.disposition === disposition).length;
  ctx.log.info('run ended', {
    runId,
    state,
    // The first reason is enough for a metric; the ledger has all of them.
    reason: state === 'quarantined' ? (reasons[0]?.code ?? 'none') : 'none',
    seconds: (ctx.clock.now() - Date.parse(bornAt)) / 1000,
    parts: parts.length,
    disarmed: count('disarm'),
    removed: count('remove'),
    linksOff: artifacts.filter(({ type, disposition }) => type === 'url' && disposition === 'disarm').length,
    polls,
  });
}
