/** What a script did in the emulation: processes, files, requests, registry, and everything in its order. */
import type { ProcessNode } from '../contract/v3-dynamic.ts';
import type { BehaviourEvent } from '../engines/behaviour.ts';
import { SCRIPT_ENVIRONMENT } from '../engines/sandbox/environment.ts';
import type { DynamicRecord } from './dynamic-record.ts';
import { processTreeOf } from './dynamic-views.ts';
import { code, more, part, table } from './html-report-parts.ts';
import { address, html, type Markup, NOTHING } from './html-report-text.ts';

/** A script can start, write and ask without end. */
const PROCESSES = 100;
const ROWS = 100;
const EVENTS = 250;

/** The parts of the record; each is left out when there is nothing in it. */
export function dynamicParts(record: DynamicRecord): Markup {
  const { processes, events, requests } = record;
  const environment = html`<p class="note">Environment: ${SCRIPT_ENVIRONMENT.name}. Nothing of this happened outside of the emulation: no program was started, nothing was sent, and every answer was made up.</p>`;
  const tree = processTreeOf({ ...record, processes: processes.slice(0, PROCESSES) });
  return html`${environment}
${part('Processes', processes.length > 0 ? branch(tree, 0) : NOTHING, more(Math.min(PROCESSES, processes.length), processes.length))}
${part(
  'Requests',
  table(
    ['At', 'Method', 'Host', 'URL'],
    requests.map(({ timeMs, method, host, port, url }) => [
      clock(timeMs),
      method,
      host === '' ? '' : html`${address(host)}:${{ markup: String(port) }}`,
      code(address(url)),
    ]),
    ROWS,
  ),
)}
${part('Files', eventTable(events, 'file', 'Path'))}
${part('Registry', eventTable(events, 'registry', 'Key'))}
${part(
  'Everything in its order',
  table(
    ['At', 'What', 'On', 'Detail'],
    events.map(({ timeMs, operation, target, detail }) => [clock(timeMs), operation, code(target), detail]),
    EVENTS,
  ),
)}`;
}

/** Deeper than this nothing of ours nests; the record is read from storage all the same. */
const DEPTH = 20;

const branch = (nodes: readonly ProcessNode[], depth: number): Markup =>
  html`<ul class="tree">${nodes.map(
    ({ name, cmd, pid, children }) =>
      html`<li><strong>${name ?? 'unknown'}</strong> <small>pid ${{ markup: String(pid) }}</small><br>${code(cmd ?? '')}${
        children.length > 0 && depth < DEPTH ? branch(children, depth + 1) : NOTHING
      }</li>`,
  )}</ul>`;

function eventTable(events: readonly BehaviourEvent[], type: BehaviourEvent['type'], on: string): Markup {
  const own = events.filter((event) => event.type === type);
  return table(
    ['At', 'What', on, 'Detail'],
    own.map(({ timeMs, operation, target, detail }) => [clock(timeMs), operation, code(target), detail]),
    ROWS,
  );
}

/** By the clock of the script, which was moved forward whenever it waited. */
const clock = (timeMs: number): string => `${(timeMs / 1_000).toFixed(1)} s`;
