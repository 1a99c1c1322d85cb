/** @jsxRuntime automatic @jsxImportSource #markup */
/** The actions of a script in the emulation: processes, files, requests, registry, and all events in their order. */

import type { BehaviourEvent } from '../../../engines/behaviour.ts';
import { SCRIPT_ENVIRONMENT } from '../../../engines/script/environment.ts';
import type { ProcessNode } from '../../contract/v3-dynamic.ts';
import { address, type Markup, NOTHING } from '../markup/jsx-runtime.ts';
import type { DynamicRecord } from '../store/dynamic-record.ts';
import { processTreeOf } from '../views/dynamic.ts';
import { code, more, part, table } from './elements.tsx';

/** Most rows of each list: a script can start, write and request without end. */
const PROCESSES = 100;
const ROWS = 100;
const EVENTS = 250;

/** Returns the parts of the record. Empty parts are left out. */
export function dynamicParts(record: DynamicRecord): Markup {
  const { processes, events, requests } = record;
  const environment = (
    <p class="note">
      Environment: {SCRIPT_ENVIRONMENT.name}. All of this happened inside the emulation only: no program was started,
      nothing was sent, and every answer was invented.
    </p>
  );
  const tree = processTreeOf({ ...record, processes: processes.slice(0, PROCESSES) });
  return (
    <>
      {environment}
      {part(
        'Processes',
        processes.length > 0 ? branch(tree, 0) : NOTHING,
        more(Math.min(PROCESSES, processes.length), processes.length),
      )}
      {part(
        'Requests',
        table(
          ['At', 'Method', 'Host', 'URL'],
          requests.map(({ timeMs, method, host, port, url }) => [
            clock(timeMs),
            method,
            host === '' ? (
              ''
            ) : (
              <>
                {address(host)}:{String(port)}
              </>
            ),
            code(address(url)),
          ]),
          ROWS,
        ),
      )}
      {part('Files', eventTable(events, 'file', 'Path'))}
      {part('Registry', eventTable(events, 'registry', 'Key'))}
      {part(
        'All events in their order',
        table(
          ['At', 'What', 'On', 'Detail'],
          events.map(({ timeMs, operation, target, detail }) => [clock(timeMs), operation, code(target), detail]),
          EVENTS,
        ),
      )}
    </>
  );
}

/** Our own records are never nested deeper. The limit exists because the record is read from storage. */
const DEPTH = 20;

const branch = (nodes: readonly ProcessNode[], depth: number): Markup => (
  <ul class="tree">
    {nodes.map(({ name, cmd, pid, children }) => (
      <li>
        <strong>{name ?? 'unknown'}</strong> <small>pid {String(pid)}</small>
        <br />
        {code(cmd ?? '')}
        {children.length > 0 && depth < DEPTH ? branch(children, depth + 1) : NOTHING}
      </li>
    ))}
  </ul>
);

function eventTable(events: readonly BehaviourEvent[], type: BehaviourEvent['type'], on: string): Markup {
  const own = events.filter((event) => event.type === type);
  return table(
    ['At', 'What', on, 'Detail'],
    own.map(({ timeMs, operation, target, detail }) => [clock(timeMs), operation, code(target), detail]),
    ROWS,
  );
}

/** Returns the time by the script's clock, which was moved forward whenever the script waited. */
const clock = (timeMs: number): string => `${(timeMs / 1_000).toFixed(1)} s`;
