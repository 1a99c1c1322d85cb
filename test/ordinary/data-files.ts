/** Tables, logs and settings that people send to one another: full of addresses, versions and host names that nobody is to open. */
import { filePart, lines, mailOf, multipart, type OrdinaryMail, textPart } from './ordinary-mail.ts';

const ROWS = Array.from({ length: 300 }, (_, row) => row);
const host = (row: number) => `srv-${row}.partner-hosting.com`;
const address = (row: number) => `198.51.${row >> 6}.${row % 250}`;

const FILES: readonly (readonly [name: string, type: string, content: string])[] = [
  [
    'inventory.csv',
    'text/csv',
    lines(
      'host,address,version,owner',
      ...ROWS.map((row) => `${host(row)},${address(row)},15.1.2.${row % 99},ann@sender.example`),
      '',
    ),
  ],
  [
    'inventory-semicolon.csv',
    'text/csv',
    lines('host;address;file', ...ROWS.map((row) => `${host(row)};${address(row)};backup-${row}.zip`), ''),
  ],
  [
    'firewall.csv',
    'application/vnd.ms-excel',
    lines(
      '"source","target","port"',
      ...ROWS.map((row) => `"10.0.${row % 9}.0/24","${address(row)}:443","${row}"`),
      '',
    ),
  ],
  [
    'table.tsv',
    'text/tab-separated-values',
    lines('name\taddress', ...ROWS.map((row) => `${host(row)}\t${address(row)}`), ''),
  ],
  [
    'auth.log',
    'text/plain',
    lines(
      ...ROWS.map(
        (row) =>
          `Nov 20 10:00:${String(row % 60).padStart(2, '0')} mx sshd[${row}]: Failed password for root from ${address(row)} port ${2000 + row} ssh2`,
      ),
      '',
    ),
  ],
  [
    'access.log',
    'text/x-log',
    lines(
      ...ROWS.map(
        (row) =>
          `${address(row)} - - [20/Nov/2026:10:00:00 +0000] "GET /page-${row}.html HTTP/1.1" 200 512 "-" "Mozilla/5.0 Chrome/120.0.6099.${row}"`,
      ),
      '',
    ),
  ],
  [
    'mail.log',
    'application/octet-stream',
    lines(
      ...ROWS.map(
        (row) =>
          `Nov 20 10:00:00 mx postfix/smtp[${row}]: A1B2: to=<ann@sender.example>, relay=${host(row)}[${address(row)}]:25, delay=1.2, dsn=2.0.0`,
      ),
      '',
    ),
  ],
  [
    'zone.txt',
    'text/plain',
    lines(
      '$ORIGIN recipient.example.',
      ...ROWS.slice(0, 20).map((row) => `h${row} IN A ${address(row)}`),
      '@ IN TXT "v=spf1 ip4:192.0.2.0/24 ip4:198.51.100.7 -all"',
      '',
    ),
  ],
  [
    'settings.xml',
    'application/xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<servers>\n${ROWS.slice(0, 50)
      .map((row) => `  <server name="${host(row)}" address="${address(row)}" version="3.1.4.${row}"/>`)
      .join('\n')}\n</servers>\n`,
  ],
];

/** Each file in a mail of its own. */
export function* dataFiles(): Generator<OrdinaryMail> {
  for (const [name, type, content] of FILES) {
    const text = textPart(lines('Hello Bob,', '', `attached is ${name} of host 192.0.2.17.`, '', 'Ann'));
    const head = { from: 'Ann <ann@sender.example>', subject: `The list of 192.0.2.17: ${name}` };
    yield {
      id: `data ${name}`,
      group: 'data',
      bytes: mailOf(head, multipart('mixed', 'd1', [text, filePart(name, type, content)])),
    };
  }
}
