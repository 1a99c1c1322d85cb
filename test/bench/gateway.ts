/**
 * How much time and work the SMTP gateway adds to mail with known content, beside Postfix that only passes mail on and beside amavis without
 * scanners; and the memory of the gateway while mail waits.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Cell,
  count,
  type Figure,
  type Measured,
  ms,
  type Part,
  type Progress,
  plain,
  quantity,
} from './figure.ts';
import { memoryWithQueue } from './gateway-memory.ts';
import { type Opened, OWN, PATHS, type Path, PEER } from './gateway-paths.ts';
import { prose, smallEmails } from './mails.ts';
import { processorMsOf } from './processor-time.ts';
import { openSender, openSink, type Sink } from './smtp-ends.ts';
import { percentile } from './statistics.ts';

const CONNECTIONS = [1, 20];
/** Messages before the first measurement. A mail server runs for months, so what its first minute costs is not what it costs. */
const WARM_UP = { '10 KB': 400, '1 MB': 20 } as const;
/** Messages of each measurement. */
const MESSAGES = { '10 KB': 120, '1 MB': 40 } as const;
type Size = keyof typeof MESSAGES;

interface Row {
  readonly path: string;
  readonly size: Size;
  readonly connections: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time per message; null where it cannot be counted. */
  readonly processorMs: number | null;
}

/** Messages that are sent one behind the other by each of some connections. */
interface Round {
  /** Begins the address of each recipient. */
  readonly label: string;
  readonly messages: number;
  readonly connections: number;
  readonly email: (number: number) => Uint8Array;
}

/** Milliseconds of each message of a round. Each connection sends its next message when the last one has arrived. */
async function timesOf(
  path: string,
  sink: Sink,
  port: number,
  { label, messages, connections, email }: Round,
): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const work = async () => {
    // amavis greets as many connections as it has processes; the others wait.
    const sender = await openSender(port);
    if (sender === null) throw new Error(`${path} does not answer`);
    while (next < messages) {
      next += 1;
      const recipient = `${label}-${next}@rcpt.example`;
      const began = performance.now();
      if (!(await sender.send(recipient, email(next)))) throw new Error(`${path} did not take a message`);
      await sink.arrived(recipient);
      times.push(performance.now() - began);
    }
    sender.end();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return times;
}

async function measureRow(
  path: string,
  sink: Sink,
  { port, pid }: Opened,
  size: Size,
  round: Omit<Round, 'label' | 'messages'>,
): Promise<Row> {
  const { connections } = round;
  const label = `${path}-${size}-${connections}`.replaceAll(' ', '');
  const used = processorMsOf(pid);
  const began = performance.now();
  const times = await timesOf(path, sink, port, { ...round, label, messages: MESSAGES[size] });
  const seconds = (performance.now() - began) / 1000;
  const facts = { perSecond: times.length / seconds, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
  const processorMs = used === null ? null : ((processorMsOf(pid) ?? 0) - used) / times.length;
  return { path, size, connections, ...facts, processorMs };
}

async function measurePath(
  path: Path,
  folder: string,
  emails: Readonly<Record<Size, (number: number) => Uint8Array>>,
  progress: Progress,
): Promise<Row[] | null> {
  const sink = await openSink();
  const opened = await path.open(folder, sink);
  const rows: Row[] = [];
  try {
    if (opened === null) return null;
    for (const size of ['10 KB', '1 MB'] as const) {
      // Over the most connections: a process that starts with the load must not start while it is measured.
      await timesOf(path.name, sink, opened.port, {
        label: `warm-${size.replace(' ', '')}`,
        messages: WARM_UP[size],
        connections: Math.max(...CONNECTIONS),
        email: (number) => emails[size](1_000 + number),
      });
      for (const connections of CONNECTIONS) {
        const row = await measureRow(path.name, sink, opened, size, { connections, email: emails[size] });
        progress(
          `${size}, ${connections} connections: ${row.perSecond.toFixed(1)} a second, p50 ${row.p50Ms.toFixed(0)} ms, p99 ${row.p99Ms.toFixed(0)} ms, ${row.processorMs?.toFixed(1)} ms of a processor each`,
        );
        rows.push(row);
      }
    }
    return rows;
  } finally {
    await opened?.stop();
    await sink.close();
  }
}

/** A megabyte of text in one file, the same in each mail. */
async function largeEmails(): Promise<(number: number) => Uint8Array> {
  const base64 = Buffer.from(prose(730_000, 9)).toString('base64').replace(/.{76}/g, '$&\r\n');
  const head =
    'Date: Mon, 23 Nov 2026 09:00:00 +0000\r\nFrom: Ana <ana@sender.example>\r\nTo: Bo <bo@rcpt.example>\r\nMIME-Version: 1.0\r\n';
  const type =
    'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n';
  const file =
    '--x\r\nContent-Type: text/plain; name=notes.txt\r\nContent-Disposition: attachment; filename=notes.txt\r\n';
  const rest = `${type}${file}Content-Transfer-Encoding: base64\r\n\r\n${base64}\r\n--x--\r\n`;
  return (number) => Buffer.from(`${head}Subject: Notes ${number}\r\nMessage-ID: <${number}@large.example>\r\n${rest}`);
}

function figuresOf(rows: readonly Row[]): Figure[] {
  const at = (path: string) => rows.find((row) => row.path === path && row.size === '10 KB' && row.connections === 20);
  const own = at(OWN);
  const other = at(PEER);
  if (own === undefined) throw new Error('the gateway was not measured');
  // A target is an upper bound, so the rate is said as the time of one message.
  const msOf = ({ perSecond }: Row) => 1000 / perSecond;
  const usedBy = (row: Row | undefined) => row?.processorMs ?? null;
  const [ownUsed, otherUsed] = [usedBy(own), usedBy(other)];
  return [
    // On a machine that does much else, the clock says nothing.
    ...(ownUsed === null || otherUsed === null
      ? []
      : [
          {
            name: '10 KB mail, 20 connections: processor time per message',
            measured: ms(ownUsed),
            atMost: otherUsed,
            baselines: [{ name: PEER, value: otherUsed }],
          },
        ]),
    {
      name: '10 KB mail through the gateway, 20 connections: time per message',
      measured: ms(msOf(own)),
      atMost: other === undefined ? null : msOf(other),
      baselines: rows
        .filter(({ path, size, connections }) => path !== OWN && size === '10 KB' && connections === 20)
        .map((row) => ({ name: row.path, value: msOf(row) })),
    },
  ];
}

const cellsOf = ({ path, size, connections, perSecond, p50Ms, p99Ms, processorMs }: Row): Cell[] => [
  path,
  size,
  count(connections),
  quantity(perSecond, '/s'),
  ms(p50Ms),
  ms(p99Ms),
  ms(processorMs ?? Number.NaN),
];

const megabytes = (bytes: number) => quantity(Math.round(bytes / 1_000_000), 'MB');

async function measureIn(folder: string, progress: Progress): Promise<Measured> {
  const emails = { '10 KB': await smallEmails(), '1 MB': await largeEmails() };
  const rows: Row[] = [];
  const notes: string[] = [];
  for (const path of PATHS) {
    progress(path.name);
    const measured = await measurePath(path, folder, emails, progress);
    if (measured === null) notes.push(`${path.name}: left out, because it is not installed or needs root.`);
    rows.push(...(measured ?? []));
  }
  const memory = await memoryWithQueue(folder, emails['10 KB'], progress);
  return {
    figures: [
      ...figuresOf(rows),
      ...(memory === null
        ? []
        : [
            plain('memory of the gateway before mail comes', megabytes(memory.idleBytes)),
            plain(`most memory while ${memory.queued} messages of 10 KB wait`, megabytes(memory.peakBytes)),
          ]),
    ],
    tables: [
      {
        title: 'From MAIL until the next server has the message',
        columns: ['path', 'mail', 'connections', 'rate', 'p50', 'p99', 'processor time per mail'],
        rows: rows.map(cellsOf),
      },
    ],
    notes: [
      ...notes,
      'Each connection sends its next message when the last one has arrived. The content of the mails is known after the first ones.',
    ],
  };
}

export const gatewayPart: Part = {
  name: 'gateway',
  title: 'The SMTP gateway, from a connection to the next server',
  async measure(progress) {
    const folder = await mkdtemp(join(tmpdir(), 'airlock-bench-gateway-'));
    // Postfix and amavis have users of their own.
    await chmod(folder, 0o755);
    try {
      return await measureIn(folder, progress);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
