/** The contents of a dynamic report (v3): processes, behaviours, system calls and the network. */
import * as z from 'zod';
import { listOf, orNull, Platform } from './common.ts';
import { NetworkCounts } from './v3-reports.ts';
import { PAGE_FIELDS } from './v3-submission.ts';

const PROCESS_FIELDS = {
  pid: z.number(),
  ppid: z.number().describe('Process id of the parent.'),
  tid: z.number(),
  name: orNull(z.string()),
  cmd: orNull(z.string()).describe('Command line.'),
};

export const Processes = z.object({
  items: z.array(
    z.object({
      ...PROCESS_FIELDS,
      cwd: orNull(z.string()),
      network: z
        .object({
          items: listOf(z.object({ ip: z.string(), port: z.number(), protocol: z.string() })),
          count: z.number(),
        })
        .describe('`count` is right; the items may be cut.'),
      events: z
        .object({
          items: listOf(z.object({ type: z.string(), path: z.string(), mode: z.string() })),
          count: z.number(),
        })
        .describe('`count` is right; the items may be cut.'),
    }),
  ),
  total: z.number(),
});

/** A process and the processes it started. */
export interface ProcessNode {
  pid: number;
  ppid: number;
  tid: number;
  name: string | null;
  cmd: string | null;
  children: ProcessNode[];
}
export const ProcessNode: z.ZodType<ProcessNode> = z.object({
  ...PROCESS_FIELDS,
  get children() {
    return z.array(ProcessNode);
  },
});
export const ProcessTree = z.object({ nodes: z.array(ProcessNode) });

export const BehaviourPage = z.object({
  items: z.array(
    z.object({
      type: z.string(),
      pid: z.number(),
      ppid: z.number(),
      processName: orNull(z.string()),
      operation: z.string(),
      eventId: z.number(),
      eventCount: z.number(),
      syscallLineNumber: orNull(z.number()),
      timestamp: z.number(),
      details: z.record(z.string(), z.unknown()),
    }),
  ),
  os: orNull(Platform),
  ...PAGE_FIELDS,
});

export const Syscalls = z.object({ items: z.array(z.string()), total: z.number() });

export const NetworkSummary = NetworkCounts.extend({ pcapAvailable: z.boolean() });

export const DnsQueries = z.array(
  z.object({
    id: z.string(),
    host: z.string(),
    type: z.string().describe('A, AAAA, MX and others.'),
    status: z.string().describe('NOERROR, NXDOMAIN and others.'),
    records: listOf(z.string()),
    timeshift: z.number(),
  }),
);

export const HttpRequests = z.array(
  z.object({ id: z.string(), host: z.string(), ip: z.string(), port: z.number(), country: orNull(z.string()) }),
);

export const Connections = z.array(
  z.object({
    id: z.string(),
    protocol: z.enum(['tcp', 'udp']),
    destinationIp: z.string(),
    destinationPort: z.number(),
    domain: orNull(z.string()),
    asn: orNull(z.string()),
    country: orNull(z.string()),
    packets: z.object({ sent: z.number(), received: z.number(), empty: z.boolean() }),
    timeshift: z.number(),
  }),
);

export const NetworkThreats = z.array(
  z.object({
    signature: z.string(),
    description: z.string(),
    severity: z.enum(['high', 'low']),
    protocol: z.enum(['TCP', 'UDP']),
    appProto: z.string().describe('HTTP, TLS or DNS.'),
    destinationIp: z.string(),
    destinationPort: z.number(),
    timeshift: z.number(),
    metadata: z.record(z.string(), z.array(z.string())),
    details: z.record(z.string(), z.union([z.string(), z.number()])),
    tls: orNull(
      z.object({
        version: z.string(),
        sni: z.string(),
        ja3Hash: z.string(),
        ja3sHash: z.string(),
        ja3String: z.string(),
        ja3sString: z.string(),
      }),
    ).describe('Only for TLS.'),
  }),
);
