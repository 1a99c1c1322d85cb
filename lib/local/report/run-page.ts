/** Prints a page of the index: two lines for each run. */
import type { RunPage } from '../../pipeline/ports.ts';
import type { RunRow } from '../../pipeline/runs/row.ts';
import { safeJson, safeText } from '../../pipeline/safe-text.ts';
import { minuteText } from '../../words/minute-text.ts';
import { type Console, writeLine } from '../console.ts';
import { formatBytes, type Paint, painterFor } from '../paint.ts';

/** Prints rows of the index, which are already inert, and the start of the next page. */
export async function printPage(console: Console, { rows, next }: RunPage, json: boolean): Promise<void> {
  if (json) {
    for (const row of rows) await writeLine(console.stdout, safeJson(row));
    if (next !== null) await writeLine(console.stdout, safeJson({ next }));
    return;
  }
  const paint = painterFor(console);
  for (const line of rows.flatMap((row) => rowLines(row, paint))) await writeLine(console.stdout, line);
  if (rows.length === 0) await writeLine(console.stdout, 'No run is in this list.');
  if (next !== null) await writeLine(console.stdout, `more: --after ${next}`);
}

const STATE_COLORS = { delivered: 'green', quarantined: 'red', running: 'yellow', deleted: 'dim' } as const;

function rowLines(row: RunRow, paint: Paint): string[] {
  const time = minuteText(row.bornAt);
  const size = row.size === null ? '' : ` (${formatBytes(row.size)})`;
  const { keep, disarm, remove } = row.parts;
  const what = row.reasons.length > 0 ? row.reasons.join(', ') : `kept ${keep}, disarmed ${disarm}, removed ${remove}`;
  const state = paint(STATE_COLORS[row.state], row.state.padEnd(11));
  return [
    `${row.reference}  ${time}Z  ${state}  ${safeText(row.subject, 200) || '(no subject)'}${size}`,
    `         ${paint('dim', `${row.runId}  ${what}; from ${safeText(row.from, 200) || 'nobody'}`)}`,
  ];
}
