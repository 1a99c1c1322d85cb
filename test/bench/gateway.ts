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
import { stagePackage } from './staged-package.ts';
import { percentile } from './statistics.ts';

const CONNECTIONS = [1, 20];
/**
 * Messages before the first measurement: the first ones, which are a row of their own, and those after them. A mail server runs for months, so what
 * its first minute costs is not what it costs. The processes of Node become faster until each has had some 2,000 messages.
 */
const WARM_UP = { '10 KB': { first: 400, more: 3_600 }, '1 MB': { first: 20, more: 180 } } as const;
const passedBefore = (size: Size) => (WARM_UP[size].first + WARM_UP[size].more).toLocaleString('en');
/** Messages of each measurement. */
const MESSAGES = { '10 KB': 400, '1 MB': 60 } as const;
type Size = keyof typeof MESSAGES;

interface Row {
  readonly path: string;
  readonly size: Size;
  /** True for the first messages of a path. */
  readonly isNew: boolean;
  readonly connections: number;
  readonly perSecond: number;
  /** From MAIL until the next server has the message. */
  readonly fromMail: Percentiles;
  /** The same with the time in which a message waits for a connection that is greeted. */
  readonly fromWanted: Percentiles;
  /** Processor time per message; null where it cannot be counted. */
  readonly processorMs: number | null;
}

interface Percentiles {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Milliseconds of one message. */
interface Took {
  readonly fromMail: number;
  readonly fromWanted: number;
}

/** Messages that are sent one behind the other by each of some connections. */
interface Round {
  /** Begins the address of each recipient. */
  readonly label: string;
  readonly messages: number;
  readonly connections: number;
  readonly email: (number: number) => Uint8Array;
}

/**
 * The times of each message of a round. As many messages as there are connections want to be sent at any time: the next one from when another has arrived.
 * amavis greets as many connections as it has processes, so most of them wait there for a connection. A gateway that greets all has them wait
 * behind MAIL. Only with both waits are the times comparable.
 */
async function timesOf(
  path: string,
  sink: Sink,
  port: number,
  { label, messages, connections, email }: Round,
): Promise<Took[]> {
  const times: Took[] = [];
  const wanted = Array.from({ length: connections }, () => performance.now());
  let next = 0;
  const work = async () => {
    const sender = await openSender(port);
    if (sender === null) throw new Error(`${path} does not answer`);
    while (next < messages) {
      next += 1;
      const recipient = `${label}-${next}@rcpt.example`;
      const began = performance.now();
      const since = wanted.shift() ?? began;
      if (!(await sender.send(recipient, email(next)))) throw new Error(`${path} did not take a message`);
      await sink.arrived(recipient);
      const ended = performance.now();
      times.push({ fromMail: ended - began, fromWanted: ended - since });
      wanted.push(ended);
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
  { size, isNew, ...round }: Pick<Row, 'size' | 'isNew'> & Omit<Round, 'label'>,
): Promise<Row> {
  const { connections } = round;
  const label = `${path}-${size}-${connections}${isNew ? '-new' : ''}`.replaceAll(' ', '');
  const used = processorMsOf(pid);
  const began = performance.now();
  const times = await timesOf(path, sink, port, { ...round, label });
  const seconds = (performance.now() - began) / 1000;
  const of = (name: keyof Took) => percentilesOf(times.map((took) => took[name]));
  const facts = { perSecond: times.length / seconds, fromMail: of('fromMail'), fromWanted: of('fromWanted') };
  const processorMs = used === null ? null : ((processorMsOf(pid) ?? 0) - used) / times.length;
  return { path, size, isNew, connections, ...facts, processorMs };
}

const percentilesOf = (times: readonly number[]): Percentiles => ({
  p50Ms: percentile(times, 0.5),
  p99Ms: percentile(times, 0.99),
});

const lineOf = ({ size, isNew, connections, perSecond, fromMail, fromWanted, processorMs }: Row): string =>
  `${size}${isNew ? ', new process' : ''}, ${connections} connections: ${perSecond.toFixed(1)} a second, p50 ${fromMail.p50Ms.toFixed(0)} ms from MAIL and ${fromWanted.p50Ms.toFixed(0)} ms with the wait for a connection, ${processorMs?.toFixed(1)} ms of a processor each`;

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
      const measure = async (messages: number, connections: number, isNew: boolean, from: number) => {
        const email = (number: number) => emails[size](from + number);
        const row = await measureRow(path.name, sink, opened, { size, isNew, messages, connections, email });
        progress(lineOf(row));
        rows.push(row);
      };
      // Over the most connections: a process that starts with the load must not start while it is measured.
      const most = Math.max(...CONNECTIONS);
      const { first, more } = WARM_UP[size];
      await measure(first, most, true, 100_000);
      const email = (number: number) => emails[size](200_000 + number);
      await timesOf(path.name, sink, opened.port, {
        label: `warm-${first}-${more}`,
        messages: more,
        connections: most,
        email,
      });
      for (const [index, connections] of CONNECTIONS.entries())
        await measure(MESSAGES[size], connections, false, index * 10_000);
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
  const isAsked = ({ size, connections, isNew }: Row) => size === '10 KB' && connections === 20 && !isNew;
  const at = (path: string) => rows.find((row) => row.path === path && isAsked(row));
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
        .filter((row) => row.path !== OWN && isAsked(row))
        .map((row) => ({ name: row.path, value: msOf(row) })),
    },
  ];
}

const COLUMNS = [
  ...['path', 'mail', 'connections', 'rate', 'p50 from MAIL', 'p99 from MAIL'],
  ...['p50 with the wait for a connection', 'p99 with it', 'processor time per mail'],
];

const cellsOf = ({ path, size, isNew, connections, perSecond, fromMail, fromWanted, processorMs }: Row): Cell[] => [
  path,
  isNew ? `${size}, the first ${WARM_UP[size].first}` : size,
  count(connections),
  quantity(perSecond, '/s'),
  ms(fromMail.p50Ms),
  ms(fromMail.p99Ms),
  ms(fromWanted.p50Ms),
  ms(fromWanted.p99Ms),
  ms(processorMs ?? Number.NaN),
];

const megabytes = (bytes: number) => quantity(Math.round(bytes / 1_000_000), 'MB');

async function measureIn(folder: string, progress: Progress): Promise<Measured> {
  const emails = { '10 KB': await smallEmails(), '1 MB': await largeEmails() };
  const rows: Row[] = [];
  const notes: string[] = [];
  progress('making the package');
  stagePackage();
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
        title: 'From MAIL, or from when a message wants to be sent, until the next server has it',
        columns: COLUMNS,
        rows: rows.map(cellsOf),
      },
    ],
    notes: [
      ...notes,
      `The gateway is the one of the package. Before the figures, each path has passed ${passedBefore('10 KB')} messages of 10 KB.`,
      'As many messages as there are connections want to be sent at any time. amavis greets as many connections as it has processes. The content of the mails is known after the first ones.',
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
