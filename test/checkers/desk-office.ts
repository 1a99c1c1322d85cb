/** A desk of an office: mail of this morning that was really scanned, 10,000 runs of the week in the index, two people and a recipient. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { airlock } from '../local/console.ts';
import { emailWith } from '../pipeline/rig.ts';
import { fillIndex } from './desk-fill.ts';
import { EICAR, FIXTURE, freePort, linkOf, started } from './desk-site.ts';

export const RUNS = 10_000;

/** Subjects of the mail that was really scanned. */
export const MAILS = {
  /** Held: a program in the place of a document. */
  invoice: 'Invoice 2026-118',
  /** Held: programs would read it differently, and nothing in it is malicious. */
  minutes: 'Minutes of the meeting',
  spam: 'You have won',
  both: 'An offer',
  game: 'A game for the break',
  first: 'Delivery note 1',
  second: 'Delivery note 2',
  third: 'Delivery note 3',
  fourth: 'Delivery note 4',
  parcel: 'Your parcel',
  /** Delivered. */
  macro: 'Invoice 2026-117',
} as const;

const WAY = [
  'Received: from mx.sender.example (mx.sender.example [192.0.2.7]) by in.recipient.example with ESMTPS id 7; Fri, 20 Nov 2026 11:59:58 +0000',
  'Received: from laptop (unknown [198.51.100.3]) by mx.sender.example with ESMTPSA id 3; Fri, 20 Nov 2026 11:59:55 +0000',
  'Authentication-Results: in.recipient.example; spf=pass smtp.mailfrom=ana@sender.example; dkim=pass header.d=sender.example; dmarc=pass',
].join('\r\n');

const program = (subject: string, name: string) =>
  `${WAY}\r\n${emailWith({ subject, text: 'Please find it attached.\r\nhttps://www.sender.example/pay?n=118', files: [{ name, bytes: EICAR }] })}`;

export interface Office {
  readonly out: string;
  /** The addresses of the desks of two people, with their tokens. */
  readonly pat: string;
  readonly kim: string;
  /** The page of the recipient of a held mail. */
  readonly recipient: string;
  close(): Promise<void>;
}

/** Scans the mail, fills the index and opens the pages. */
export async function openOffice(folder: string): Promise<Office> {
  const [out, mails] = [join(folder, 'office'), join(folder, 'office-mails')];
  await mkdir(mails, { recursive: true });
  const odd = emailWith({ subject: MAILS.minutes, text: 'Attached are the minutes.' });
  const all: readonly string[] = [
    program(MAILS.invoice, 'invoice-2026-118.com'),
    odd.replace('Content-Type: text/plain', 'Content-Type: text/html\r\nContent-Type: text/plain'),
    program(MAILS.spam, 'prize.com'),
    program(MAILS.both, 'offer.com'),
    program(MAILS.game, 'game.com'),
    program(MAILS.first, 'note-1.com'),
    program(MAILS.second, 'note-2.com'),
    program(MAILS.third, 'note-3.com'),
    program(MAILS.fourth, 'note-4.com'),
    program(MAILS.parcel, 'parcel.com'),
    await readFile(FIXTURE, 'latin1'),
  ];
  for (const [number, mail] of all.entries()) await writeFile(join(mails, `${number}.eml`), mail, 'latin1');
  await airlock(['scan', '--quiet', '--out', out, mails]);
  fillIndex(out, RUNS, Date.now());
  const stop = new AbortController();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const pages = await started(['recipients', '--out', out, '--url', origin, '--port', String(port)], stop.signal);
  const desk = async (person: string) =>
    started(['desk', '--out', out, '--as', person, '--role', 'admin'], stop.signal);
  const [pat, kim] = [await desk('pat'), await desk('kim')];
  const { stdout } = await airlock(['runs', 'search', MAILS.invoice, '--json', '--out', out]);
  const { runId } = JSON.parse(stdout.split('\n')[0] ?? '') as { runId: string };
  return {
    out,
    pat: addressIn(pat.line),
    kim: addressIn(kim.line),
    recipient: `${origin}${await linkOf(out, runId)}`,
    close: async () => {
      stop.abort();
      await Promise.all([pages.ended, pat.ended, kim.ended]);
    },
  };
}

const addressIn = (line: string) => line.replace(/^desk +/, '');
