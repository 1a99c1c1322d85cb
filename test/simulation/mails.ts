/** The mails of the simulation: small, of each way through the flow, and with files in common. */
import { emailWith } from '../pipeline/rig.ts';
import { sealedArchive } from './sealed-archive.ts';

const pdf = (content: string) =>
  `%PDF-1.4\n1 0 obj\n<< /Type /Catalog ${content} >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n`;
const MINUTES = { name: 'minutes.pdf', type: 'application/pdf', bytes: pdf('/Lang (en)') };
const SCRIPTED = { name: 'form.pdf', type: 'application/pdf', bytes: pdf('/SCRIPT (1)') };
const EVIL = { name: 'invoice.pdf', type: 'application/pdf', bytes: pdf('/EVIL (1)') };
const REFUSED = { name: 'large.pdf', type: 'application/pdf', bytes: pdf('/REFUSED (1)') };
/** Only the sandbox sees what it does. */
const HIDDEN = { name: 'offer.pdf', type: 'application/pdf', bytes: pdf('/HIDDEN (1)') };
const PROGRAM = { name: 'setup.exe', bytes: `MZ${'\0'.repeat(200)}` };

/** What must never stand in the clean bucket. The scripted service calls it malicious, or takes it out. */
export const NEVER_CLEAN = ['/EVIL', '/SCRIPT', '<script>', '/HIDDEN'] as const;
/** In the open part of an archive with something malicious in it. A person may release the archive without a look into it. */
export const NEVER_CLEAN_UNASKED = 'SEALED-EVIL';

/** The password of every closed archive. It may stand where mail is kept, and nowhere else. */
export const PASSWORD = 'Sonne#42';
const closed = (note: string, text: string) => ({
  name: 'report.7z',
  bytes: sealedArchive({ note, password: PASSWORD, name: 'report.txt', text }),
});

const page = (body: string) => `<!DOCTYPE html><html><body><p>${body}</p></body></html>`;

const TEXTS = {
  plain: emailWith({ subject: 'Lunch', text: 'Hello,\r\nsee https://www.partner.example/lunch' }),
  oddLink: emailWith({ subject: 'Account', text: 'Hello,\r\nsee https://odd.example/login' }),
  document: emailWith({ subject: 'Minutes', files: [MINUTES] }),
  page: emailWith({ subject: 'Both', html: page('Hello<script>x</script>'), files: [MINUTES, SCRIPTED] }),
  malicious: emailWith({ subject: 'Invoice', files: [EVIL, MINUTES] }),
  program: emailWith({ subject: 'Program', files: [PROGRAM] }),
  refused: emailWith({ subject: 'Large', files: [REFUSED] }),
  closed: emailWith({ subject: 'The report', files: [closed('', 'All is well.')] }),
  closedEvil: emailWith({ subject: 'The offer', files: [closed(NEVER_CLEAN_UNASKED, '/EVIL')] }),
  tells: emailWith({ subject: 'One more thing', text: `The password is ${PASSWORD}` }),
  hidden: emailWith({ subject: 'Offer', files: [HIDDEN] }),
  two: emailWith({ subject: 'Two', files: [HIDDEN, MINUTES] }),
  file: MINUTES.bytes,
  empty: '',
} as const;

export type MailKind = keyof typeof TEXTS;
const ALL_KINDS = Object.keys(TEXTS) as MailKind[];
/** Mails that need no setting of their own. */
export const MAIL_KINDS = [
  'plain',
  ...(['oddLink', 'document', 'page', 'malicious', 'program', 'refused', 'file', 'empty'] as const),
] as const satisfies readonly MailKind[];

/** The bytes of each mail. */
export const MAILS = Object.fromEntries(
  ALL_KINDS.map((kind) => [kind, new TextEncoder().encode(TEXTS[kind])]),
) as Readonly<Record<MailKind, Uint8Array>>;
