/** Aggregate reports of DMARC (RFC 7489 appendix C) as five reporters send them: a compressed XML with a column of addresses. */
import { gzipSync } from 'node:zlib';
import { zipOf } from '../engines/zip-fixture.ts';
import { filePart, mailOf, multipart, type OrdinaryMail, textPart } from './ordinary-mail.ts';

interface Reporter {
  readonly name: string;
  readonly domain: string;
  readonly packing: 'zip' | 'gz';
  /** What the text of the mail says; null for none. */
  readonly text: string | null;
  readonly contact?: string;
  readonly declaration: string;
}

const REPORTERS: readonly Reporter[] = [
  {
    name: 'google.com',
    domain: 'google.com',
    packing: 'zip',
    text: null,
    contact: 'https://support.google.com/a/answer/2466580',
    declaration: '<?xml version="1.0" encoding="UTF-8" ?>',
  },
  {
    name: 'Yahoo',
    domain: 'yahoo.com',
    packing: 'gz',
    text: 'This is a DMARC aggregate report for recipient.example. Sources: 192.0.2.1, 198.51.100.2',
    declaration: '<?xml version="1.0"?>',
  },
  {
    name: 'Enterprise Outlook',
    domain: 'protection.outlook.com',
    packing: 'gz',
    text: '<div style="font-family:Segoe UI">This is a DMARC aggregate report from Microsoft Corporation. For Emails received between 2026-11-19 00:00:00 UTC to 2026-11-20 00:00:00 UTC.</div>',
    declaration: '<?xml version="1.0"?>',
  },
  {
    name: 'FASTMAIL',
    domain: 'fastmail.example',
    packing: 'gz',
    text: 'A DMARC report for recipient.example is attached: fastmail.example!recipient.example!1700000000!1700086400.xml.gz',
    declaration: '<?xml version="1.0" encoding="UTF-8"?>',
  },
  {
    name: 'AMAZON-SES',
    domain: 'amazonses.com',
    packing: 'gz',
    text: 'This MIME email was sent through Amazon SES.',
    declaration: '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
  },
];

/** The XML of one report with so many rows. */
function reportOf({ name, domain, contact, declaration }: Reporter, rows: number): string {
  const record = (row: number) =>
    `  <record>\n    <row>\n      <source_ip>${row % 7 === 6 ? `2001:db8::${row.toString(16)}` : `203.0.${row >> 8}.${row & 255}`}</source_ip>\n      <count>${row + 1}</count>\n` +
    '      <policy_evaluated>\n        <disposition>none</disposition>\n        <dkim>pass</dkim>\n        <spf>pass</spf>\n      </policy_evaluated>\n    </row>\n' +
    '    <identifiers>\n      <header_from>recipient.example</header_from>\n    </identifiers>\n' +
    '    <auth_results>\n      <dkim>\n        <domain>recipient.example</domain>\n        <selector>k1</selector>\n        <result>pass</result>\n      </dkim>\n' +
    `      <spf>\n        <domain>mail-${row}.partner-hosting.com</domain>\n        <result>pass</result>\n      </spf>\n    </auth_results>\n  </record>\n`;
  const extra = contact === undefined ? '' : `    <extra_contact_info>${contact}</extra_contact_info>\n`;
  return `${declaration}\n<feedback>\n  <report_metadata>\n    <org_name>${name}</org_name>\n    <email>noreply-dmarc-support@${domain}</email>\n${extra}    <report_id>17000000004711</report_id>\n    <date_range>\n      <begin>1700000000</begin>\n      <end>1700086400</end>\n    </date_range>\n  </report_metadata>\n  <policy_published>\n    <domain>recipient.example</domain>\n    <adkim>r</adkim>\n    <aspf>r</aspf>\n    <p>reject</p>\n    <sp>reject</sp>\n    <pct>100</pct>\n  </policy_published>\n${Array.from({ length: rows }, (_, row) => record(row)).join('')}</feedback>\n`;
}

function mailWith(reporter: Reporter, rows: number): Uint8Array {
  const { domain, packing, text } = reporter;
  const xml = reportOf(reporter, rows);
  const name = `${domain}!recipient.example!1700000000!1700086400.${packing === 'gz' ? 'xml.gz' : 'zip'}`;
  const bytes = packing === 'gz' ? gzipSync(xml) : zipOf({ [name.replace(/zip$/, 'xml')]: xml });
  const type = packing === 'gz' ? 'application/gzip' : 'application/zip';
  const head = {
    from: `noreply-dmarc-support@${domain}`,
    subject: `Report domain: recipient.example Submitter: ${domain} Report-ID: <2026.11.20.4711>`,
  };
  const file = filePart(name, type, bytes);
  if (text === null) return mailOf(head, file);
  const body = textPart(text, text.startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8');
  return mailOf(head, multipart('mixed', '----=_Part_1', [body, file]));
}

/** Every report, with one row, with a few and with many. */
export function* dmarcReports(): Generator<OrdinaryMail> {
  for (const reporter of REPORTERS)
    for (const rows of [1, 12, 400])
      yield { id: `dmarc of ${reporter.name}, ${rows} rows`, group: 'dmarc', bytes: mailWith(reporter, rows) };
}
