/** A dynamic report in the shapes of its routes. It has no addresses, packets or system calls, because nothing was sent. */

import type { BehaviourEvent, StartedProcess } from '../../../engines/behaviour.ts';
import type { ProcessNode } from '../../contract/v3-dynamic.ts';
import { type DynamicRecord, hostsOf } from '../store/dynamic-record.ts';

/** The most entries of one process that the list shows. The counts beside them are complete. */
const MAX_ITEMS = 100;

/** Returns the processes that were started, in words. */
export function processesOf({ processes, events, requests }: DynamicRecord) {
  return processes.map((process) => {
    const own = events.filter(({ pid, type }) => pid === process.pid && (type === 'file' || type === 'registry'));
    const asked = requests.filter(({ pid }) => pid === process.pid);
    return {
      ...processFacts(process),
      cwd: null,
      network: {
        items: asked.slice(0, MAX_ITEMS).map(({ port }) => ({ ip: '', port, protocol: 'tcp' })),
        count: asked.length,
      },
      events: {
        items: own.slice(0, MAX_ITEMS).map(({ type, target, operation }) => ({ type, path: target, mode: operation })),
        count: own.length,
      },
    };
  });
}

function processFacts({ pid, ppid, name, commandLine }: StartedProcess) {
  return { pid, ppid, tid: pid + 4, name, cmd: commandLine };
}

/** Returns the processes as a tree: each below the process that started it. */
export function processTreeOf({ processes }: DynamicRecord): ProcessNode[] {
  const known = new Set(processes.map(({ pid }) => pid));
  const nodeOf = (process: StartedProcess): ProcessNode => ({
    ...processFacts(process),
    children: processes.filter(({ ppid, pid }) => ppid === process.pid && pid !== process.pid).map(nodeOf),
  });
  return processes.filter(({ ppid }) => !known.has(ppid)).map(nodeOf);
}

/** Returns the actions of the processes, in order. */
export function behavioursOf({ processes, events }: DynamicRecord) {
  return events.map(({ id, pid, type, operation, target, detail, timeMs }: BehaviourEvent) => {
    const process = processes.find((candidate) => candidate.pid === pid);
    return {
      type,
      pid,
      ppid: process?.ppid ?? 0,
      processName: process?.name ?? null,
      operation,
      eventId: id,
      eventCount: 1,
      syscallLineNumber: null,
      timestamp: timeMs,
      details: { target, detail },
    };
  });
}

/** Returns names that a real machine would have looked up. */
export function dnsQueriesOf({ requests }: DynamicRecord) {
  return hostsOf(requests).map((host, index) => ({
    id: `dns-${index + 1}`,
    host,
    type: 'A',
    status: 'NOERROR',
    records: [],
    timeshift: (requests.find((request) => request.host === host)?.timeMs ?? 0) / 1_000,
  }));
}

/** Returns the requests to web servers. */
export function httpRequestsOf({ requests }: DynamicRecord) {
  return requests
    .filter(({ host }) => host !== '')
    .map(({ host, port }, index) => ({ id: `http-${index + 1}`, host, ip: '', port, country: null }));
}
