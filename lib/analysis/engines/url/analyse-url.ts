/**
 * The url engine: checks of the URL itself. It opens no connection, so `benign` with no findings says that nothing is wrong with
 * the URL as a text; what is behind it was not looked at.
 */
import type { FailedReport, Finding, UrlReport } from '../engine.ts';
import { hasBrandHostInPath } from './brands.ts';
import { urlFinding } from './findings.ts';
import { checkHost } from './host.ts';

export const engineVersion = 'url-1.0.0';

/** Megabytes of URL: refused, not read. */
const URL_LENGTH = 65_536;
/** Longer than links of newsletters wrapped by link filters get; some programs cut URLs here. */
const LONG_URL = 4_096;

const SCRIPT_SCHEMES = new Set(['javascript:', 'vbscript:', 'livescript:', 'mocha:', 'jscript:']);
const SHARE_SCHEMES = new Set(['file:', 'smb:', 'nfs:', 'mhtml:', 'res:', 'mk:', 'ms-its:', 'jar:']);
const WEB_SCHEMES = new Set(['http:', 'https:', 'ftp:', 'ftps:', 'ws:', 'wss:']);
/** Handed to a program, with nothing in them that it would run. */
const HARMLESS_SCHEMES = new Set([
  'mailto:',
  'tel:',
  'sms:',
  'cid:',
  'mid:',
  'webcal:',
  'geo:',
  'xmpp:',
  'sip:',
  'sips:',
  'urn:',
  'news:',
]);
const PORTS = new Set(['', '80', '443', '8080', '8443', '21']);

const PROGRAM_EXTENSIONS =
  /\.(?:exe|scr|pif|bat|cmd|js|jse|vbs|vbe|wsf|wsh|hta|ps1|psm1|lnk|url|jar|msi|msp|msix|appx|appxbundle|iso|img|vhdx?|dmg|pkg|chm|cpl|reg|scf|library-ms|search-ms|settingcontent-ms|one|xll|apk|elf|sh|dll|iqy|rdp|application|jnlp)$/i;
/** `.com` ends host names as well, which stand in paths of archives and redirects: here only after another extension. */
const DISGUISED_COM = /\.(?:pdf|docx?|xlsx?|pptx?|jpe?g|png|gif|txt|zip|rtf|html?)\.com$/i;
const PICTURE_OR_FONT = /^data:(?:image\/(?:png|jpe?g|gif|webp|bmp)|font\/|application\/(?:x-)?font)/i;

/** Judges one URL by itself. Not parseable, or absurdly long: a failed report, `unreadable` or `oversize`. Never throws. */
export function analyseUrl(untrustedUrl: string): UrlReport | FailedReport {
  if (untrustedUrl.length > URL_LENGTH) return failed('oversize', `the URL is longer than ${URL_LENGTH} characters`);
  const text = untrustedUrl.trim();
  const isUnc = text.startsWith('\\\\');
  const url = parse(isUnc ? `file:${text.replaceAll('\\', '/')}` : text);
  if (url === null) return failed('unreadable', 'this is not a URL');
  const findings = [...checkScheme(url), ...(WEB_SCHEMES.has(url.protocol) ? checkWeb(url) : [])];
  if (url.protocol === 'file:' && url.hostname !== '') findings.push(...checkHost(url.hostname));
  if (text.length > LONG_URL && !PICTURE_OR_FONT.test(text)) findings.push(urlFinding('very-long', null));
  return {
    outcome: 'completed',
    level: levelOf(findings),
    score: Math.max(0, ...findings.map((finding) => finding.score)),
    findings,
    engineVersion,
  };
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function failed(code: 'oversize' | 'unreadable', message: string): FailedReport {
  return { outcome: 'failed', failure: { code, message }, engineVersion };
}

function levelOf(findings: readonly Finding[]): UrlReport['level'] {
  if (findings.some((finding) => finding.level === 'malicious')) return 'malicious';
  return findings.some((finding) => finding.level === 'suspicious') ? 'suspicious' : 'benign';
}

function checkScheme(url: URL): Finding[] {
  const scheme = url.protocol;
  if (SCRIPT_SCHEMES.has(scheme)) return [urlFinding('script-url', 'scheme')];
  if (SHARE_SCHEMES.has(scheme)) return [urlFinding('file-share', 'scheme')];
  if (scheme === 'data:') return PICTURE_OR_FONT.test(url.href) ? [] : [urlFinding('data-document', 'scheme')];
  return WEB_SCHEMES.has(scheme) || HARMLESS_SCHEMES.has(scheme) ? [] : [urlFinding('program-scheme', 'scheme')];
}

function checkWeb(url: URL): Finding[] {
  const findings = checkHost(url.hostname);
  if (url.username !== '' || url.password !== '') findings.push(urlFinding('user-information', 'user information'));
  if (!PORTS.has(url.port)) findings.push(urlFinding('unusual-port', 'port'));
  if (hasBrandHostInPath(url.hostname, url.pathname)) findings.push(urlFinding('borrowed-brand', 'path'));
  if (isProgramPath(url.pathname)) findings.push(urlFinding('program-download', 'path'));
  if (isProgramName(url.searchParams)) findings.push(urlFinding('program-download', 'query'));
  if (/https?(?::|%3a)(?:\/|%2f){2}/i.test(url.pathname + url.search + url.hash))
    findings.push(urlFinding('embedded-url', null));
  return findings;
}

function isProgramPath(path: string): boolean {
  const segment = decoded(path.slice(path.lastIndexOf('/') + 1));
  return PROGRAM_EXTENSIONS.test(segment) || DISGUISED_COM.test(segment);
}

/** `download?file=setup.exe`: the name a browser saves under comes from a parameter of such a name. */
function isProgramName(parameters: URLSearchParams): boolean {
  for (const [name, value] of parameters) {
    if (/^(?:file|filename|name|download|attachment)$/i.test(name) && PROGRAM_EXTENSIONS.test(value)) return true;
  }
  return false;
}

/** With its percent-encoding resolved, and without what Windows drops from the end of a name. */
function decoded(segment: string): string {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    text = segment;
  }
  return text.slice(-300).replace(/[\s.\0]{1,300}$/, '');
}
