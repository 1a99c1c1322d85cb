/**
 * `npm run check:mail`: programs that share nothing with this project open the mail that the airlock delivers. Python's email and notmuch
 * read the same parts as in the original, OpenSSL and GnuPG verify signed mail, mailauth and python3-dkim verify DKIM before and behind and our seals,
 * and Chromium opens pages with our words in them. Exit codes: 0 no problem, or skipped because the programs are not there (it says so);
 * 1 something did not open, or is not what was sent.
 */
import { readFileSync } from 'node:fs';
import { type Airlock, openAirlock } from '../hostile/attack/airlock-run.ts';
import { sideBySide } from '../hostile/attack/attack-class.ts';
import { corpus } from '../ordinary/corpus.ts';
import { createDkim, type Dkim, DOMAIN, SELECTOR } from '../ordinary/dkim.ts';
import type { OrdinaryMail } from '../ordinary/ordinary-mail.ts';
import { type Outcome, outcomeOf } from '../ordinary/outcome.ts';
import { trustingPolicy } from '../ordinary/signed-mail.ts';
import { openBrowser } from './browser.ts';
import { MAIL_READERS, type MailReader, type SeenMail } from './mail-readers.ts';
import { brokenSeals } from './mail-seals.ts';
import { pgpProblem, smimeProblem } from './mail-signatures.ts';
import { pagesOf } from './message-pages.ts';
import { keptUrls, threatOf } from './page-judge.ts';
import { missingOf } from './tools.ts';

/** Of each group, every so many mails: all of them would take as long as the bench. */
const EVERY = 4;
const FIXTURE = new URL('../fixtures/emails/invoice-with-macro.eml', import.meta.url);

const print = (text: string) => process.stdout.write(`${text}\n`);

/** A check with what it looked at and what it found. */
interface Checked {
  readonly what: string;
  readonly mails: number;
  readonly problems: readonly string[];
}

type Delivered = Outcome & { readonly delivered: Uint8Array };

const sampleOf = (mails: readonly OrdinaryMail[]) =>
  mails.filter(({ group }, at) => at % EVERY === 0 || group === 'signed' || group === 'encrypted');

async function deliveredOf(airlock: Airlock, dkim: Dkim, problems: string[]): Promise<Delivered[]> {
  const delivered: Delivered[] = [];
  const scanned = sideBySide(sampleOf(await corpus()), (mail) => outcomeOf(mail, airlock, dkim));
  for await (const outcome of scanned)
    if (outcome.delivered === null) problems.push(`${outcome.mail.id}: held: ${outcome.why}`);
    else delivered.push({ ...outcome, delivered: outcome.delivered });
  return delivered;
}

/** What a program reads in the delivered message that it does not read in the original, or the other way round. */
function differenceOf(before: SeenMail, after: SeenMail | undefined, isUnchanged: boolean): string | null {
  if (after === undefined) return 'does not open';
  if (after.subject !== before.subject || after.from !== before.from) return 'has another subject or sender';
  const added = after.defects.filter((defect) => !before.defects.includes(defect));
  if (added.length > 0) return `has defects: ${added.join(', ')}`;
  const parts = JSON.stringify(after.parts);
  if (isUnchanged && parts !== JSON.stringify(before.parts)) return `has other parts: ${parts.slice(0, 200)}`;
  // A placeholder takes the place of a part, so the number stays. A program opens an empty part behind the last boundary of a message that
  // was cut off.
  const [one, other] = [before, after].map(({ parts }) => parts.filter(({ length }) => length > 0).length);
  return one === other ? null : `has ${other} parts that are not empty, and not ${one}`;
}

async function checkReader(reader: MailReader, mails: readonly Delivered[], dkim: Dkim): Promise<Checked[]> {
  const records = { [`${SELECTOR}._domainkey.${DOMAIN}`]: dkim.record };
  const before = mails.map(({ mail }, at) => ({ name: `before-${at}`, bytes: mail.bytes }));
  const after = mails.map(({ delivered }, at) => ({ name: `after-${at}`, bytes: delivered }));
  const seen = await reader.read([...before, ...after], records);
  const problems: string[] = [];
  const unsigned: string[] = [];
  let verified = 0;
  for (const [at, { mail, isUnchanged }] of mails.entries()) {
    const [one, other] = [seen.get(`before-${at}`), seen.get(`after-${at}`)];
    const difference = one === undefined ? 'the original does not open' : differenceOf(one, other, isUnchanged);
    if (difference !== null) problems.push(`${mail.id}: ${difference}`);
    if (!isUnchanged || (other?.signatures ?? null) === null) continue;
    verified++;
    if (other?.signatures?.dkim !== true) unsigned.push(`${mail.id}: DKIM does not hold`);
  }
  const opened = { what: `opened by ${reader.name} as the original`, mails: mails.length, problems };
  if (verified === 0) return [opened];
  return [opened, { what: `DKIM verified by python3-dkim, nothing changed`, mails: verified, problems: unsigned }];
}

function checkDkim(mails: readonly Delivered[]): Checked {
  const unchanged = mails.filter(({ isUnchanged }) => isUnchanged);
  const broken = unchanged.filter(({ dkim }) => dkim !== 'pass').map(({ mail, dkim }) => `${mail.id}: ${dkim}`);
  return { what: 'DKIM verified by mailauth, nothing changed', mails: unchanged.length, problems: broken };
}

/** A program of others on seals of ours. */
async function checkSeals(reader: MailReader): Promise<Checked[]> {
  const mails = sampleOf(await corpus());
  const broken = await brokenSeals(reader, mails);
  return broken === null
    ? []
    : [{ what: `ARC seals verified by ${reader.name}`, mails: mails.length, problems: broken }];
}

/** OpenSSL for S/MIME and GnuPG for OpenPGP, on what is signed. Encrypted mail needs a key that is thrown away. */
async function checkSigned(mails: readonly Delivered[], scheme: 'smime' | 'pgp'): Promise<Checked> {
  const signed = mails.filter(({ mail }) => mail.group === 'signed' && mail.id.includes(scheme));
  const verify = scheme === 'smime' ? smimeProblem : pgpProblem;
  const problems: string[] = [];
  for (const { mail, delivered } of signed) {
    const [before, after] = [await verify(mail.bytes), await verify(delivered)];
    if (before !== null) problems.push(`${mail.id}: the original: ${before}`);
    else if (after !== null) problems.push(`${mail.id}: ${after}`);
  }
  const program = scheme === 'smime' ? 'openssl cms -verify' : 'gpg --verify';
  return { what: `signatures verified by ${program}`, mails: signed.length, problems };
}

/** Pages with a banner of ours, and pages in the place of files: nothing runs or is loaded, and our words are there. */
async function checkPages(airlock: Airlock): Promise<Checked> {
  const browser = await openBrowser();
  const problems: string[] = [];
  let count = 0;
  try {
    for (const { name, bytes } of changedMails()) {
      const { message, ledger, why } = await airlock.scan(bytes, `${name}.eml`);
      if (message === null) problems.push(`${name}: held: ${why}`);
      const pages = message === null ? [] : await pagesOf(message);
      if (message !== null && pages.length === 0) problems.push(`${name}: no page of ours`);
      for (const page of pages) {
        const sighting = await browser.look(page.bytes, `${page.type}; charset=${page.charset ?? 'utf-8'}`);
        const threat = threatOf(sighting, keptUrls(ledger));
        if (threat !== null) problems.push(`${name}: ${threat}`);
        if (!sighting.text.includes('Mail Airlock')) problems.push(`${name}: a page does not show our words`);
        count++;
      }
    }
  } finally {
    await browser.close();
  }
  return { what: 'pages with our words opened by Chromium', mails: count, problems };
}

/** Mails of which something is changed: links and files in a page and in a text. */
function changedMails(): { readonly name: string; readonly bytes: Uint8Array }[] {
  const script = 'From: a@sender.example\r\nTo: b@recipient.example\r\nSubject: A file\r\nMIME-Version: 1.0\r\n';
  const type = 'Content-Type: multipart/mixed; boundary=b1\r\n\r\n';
  const page = '--b1\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Hello Bob, here is the file.</p>\r\n';
  const file = (name: string, text: string) =>
    `--b1\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${text}\r\n`;
  return [
    { name: 'a document with macros', bytes: readFileSync(FIXTURE) },
    ...['start.js', 'start.vbs', 'data.bin', 'setup.reg'].map((name) => ({
      name: `a page and ${name}`,
      bytes: Buffer.from(`${script}${type}${page}${file(name, 'one = 1')}--b1--\r\n`),
    })),
  ];
}

function report({ what, mails, problems }: Checked): void {
  print(`${what.padEnd(60)}${String(mails).padStart(5)} checked, ${problems.length} problems`);
  for (const problem of problems) print(`  ${problem}`);
}

/** Says what is skipped, and tells whether the check can be made. */
function can(what: string, missing: string | null): boolean {
  if (missing !== null) print(`SKIPPED: ${what}: ${missing}`);
  return missing === null;
}

async function main(): Promise<number> {
  const [engines, dkim] = [await openAirlock(), createDkim()];
  const airlock = engines.under(trustingPolicy());
  const checks: Checked[] = [];
  try {
    const held: string[] = [];
    const mails = await deliveredOf(airlock, dkim, held);
    checks.push({ what: 'ordinary mails sent through the airlock', mails: mails.length + held.length, problems: held });
    checks.push(checkDkim(mails));
    for (const reader of MAIL_READERS)
      if (can(`delivered mail is not opened by ${reader.name}`, reader.missing))
        checks.push(...(await checkReader(reader, mails, dkim)), ...(await checkSeals(reader)));
    if (!checks.some(({ what }) => what.includes('python3-dkim')))
      print(
        'SKIPPED: DKIM is not verified a second time: python3-dkim not found; on Debian: apt-get install python3-dkim',
      );
    if (can('S/MIME signatures are not verified', missingOf(['openssl'])))
      checks.push(await checkSigned(mails, 'smime'));
    if (can('OpenPGP signatures are not verified', missingOf(['gpg']))) checks.push(await checkSigned(mails, 'pgp'));
    if (can('pages with our words are not opened by Chromium', missingOf(['chromium'])))
      checks.push(await checkPages(airlock));
  } finally {
    await airlock.close();
  }
  checks.forEach(report);
  return checks.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

process.exitCode = await main();
