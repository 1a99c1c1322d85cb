/** A process that judges as a test says: the label of a mail names what becomes of it. */
import { existsSync, writeFileSync } from 'node:fs';

let mails = 0;
const say = (message) => process.send(message);

process.on('disconnect', () => process.exit(0));
process.on('message', ({ kind, opening, number, label }) => {
  if (kind === 'close') process.exit(0);
  if (kind === 'open' && opening.out === 'refused') return say({ kind: 'refused', message: 'No such policy.' });
  if (kind === 'open') {
    say({ kind: 'said', text: `secret ${process.env.AIRLOCK_API_KEY}, plain ${process.env.PLAIN}\n` });
    return say({ kind: 'open' });
  }
  if (kind !== 'scan') return undefined;
  mails += 1;
  const [, once] = label.split('ends the process once, noted in ');
  if (label === 'ends every process' || (once !== undefined && !existsSync(once))) {
    if (once !== undefined) writeFileSync(once, '');
    process.exit(1);
  }
  if (label === 'waits unless it is the first' && mails > 1) return undefined;
  const message = `${process.pid}`;
  return say({
    kind: 'outcome',
    number,
    outcome: { input: label, state: 'rejected', code: 'judged', message },
    residentBytes: 1_000,
  });
});
