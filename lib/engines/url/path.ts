/** Checks the part behind the host: names of files, login words, internals of a site, and the address of the recipient. */

import { oneOf } from '../../formats/patterns.ts';
import type { Finding } from '../engine.ts';
import { urlFinding } from './findings.ts';
import { isNamelessPage } from './host.ts';
import { isBait, LOGIN_PATH } from './login-words.ts';
import { brandInPath, hasBrandHostInPath } from './look-alikes.ts';
import { boundedName } from './registrable-domain.ts';

const USUAL_PORTS = new Set(['', '80', '443', '8080', '8443', '21']);

const PROGRAMS =
  'exe|scr|pif|bat|cmd|jse|vbs|vbe|wsf|wsh|hta|ps1|psm1|lnk|url|jar|msi|msp|msix|appx|appxbundle|iso|img|vhdx?|dmg|chm|cpl|reg|scf|' +
  'library-ms|search-ms|searchconnector-ms|settingcontent-ms|appref-ms|diagcab|one|xll|xlam|ppam|apk|elf|dll|iqy|slk|rdp|application|jnlp|ace|arj|cab|uue|wim';
const PROGRAM = new RegExp(`\\.(?:${PROGRAMS})$`, 'i');
const DOCUMENT = 'pdf|docx?|xlsx?|pptx?|rtf|txt|csv|jpe?g|png|gif|html?|mp[34]|invoice|odt';
/** `.com` ends host names and `.js` parts of pages: here only after the extension of a document. */
const DISGUISED = new RegExp(`\\.(?:${DOCUMENT})[\\s._-]*\\.(?:${PROGRAMS}|com|js|sh|zip|rar|7z)$`, 'i');
/** `page.html.zip` is how some archives are named; a document's name before an archive is not a trick. */
const ARCHIVE = /\.(?:zip|rar|7z)$/i;

/** Folders where a content management system keeps its own code. Pages there come from an intruder. */
const SITE_INTERNALS = new RegExp(
  String.raw`\/${oneOf(String.raw`
    wp-(?:includes|admin\/(?:css|js|images|includes)|content\/(?:plugins|themes|upgrade|mu-plugins))
    administrator\/(?:cache|components)
    \.well-known\/(?:acme-challenge|pki-validation)\/[^/]+
    \.well-known\/(?!acme-|pki|security|assetlinks|apple|openid|oauth|change-password|webfinger|host-meta|matrix|nodeinfo)[^/]+
    components\/com_[a-z]+ modules\/mod_[a-z]+ vendor\/phpunit
  `)}\/.*(?:\.(?:html?|php|exe|zip)$|\/$|\/[a-z0-9]+$)`,
  'i',
);

/** A program, or a page that asks for a login, where a site keeps the pictures its authors upload. */
const UPLOADED_PAGE =
  /\/wp-content\/uploads\/.*(?:\.php$|\/(?:login|verify|signin|auth|secure)[^/]{0,20}\.html?$)|\/cgi-bin\/.*\/(?:login|verify|signin|auth|secure)[^/]{0,20}(?:\.(?:html?|php)|\/)$/i;

const EMAIL = /[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/i;
const WHOLE_EMAIL = new RegExp(`^${EMAIL.source}$`, 'i');

/** Returns the findings of everything after the host of an HTTP or HTTPS URL. */
export function checkPath(url: URL): Finding[] {
  const { pathname, port } = url;
  const hostname = boundedName(url.hostname);
  const findings: Finding[] = [];
  if (!USUAL_PORTS.has(port)) findings.push(urlFinding('unusual-port', 'port', port));
  if (hasBrandHostInPath(hostname, pathname)) findings.push(urlFinding('borrowed-brand', 'path', pathname));
  const login = checkWords(url);
  const brand = brandInPath(hostname, pathname, login.length > 0);
  if (brand !== null) findings.push(urlFinding('brand-in-path', 'path', brand));
  findings.push(...checkNames(url), ...login);
  if (isNamelessPage(hostname, pathname)) findings.push(urlFinding('page-in-bucket', 'path', pathname));
  // Here the name that a user chose is in the path.
  const view = hostname === 'sites.google.com' ? (/^\/view\/([^/]{1,63})/.exec(pathname)?.[1] ?? '') : '';
  if (isBait(view.toLowerCase())) findings.push(urlFinding('bait-name', 'path', view));
  if (SITE_INTERNALS.test(pathname.slice(0, 2_048))) findings.push(urlFinding('site-internals', 'path', pathname));
  if (UPLOADED_PAGE.test(pathname.slice(0, 2_048))) findings.push(urlFinding('site-internals', 'path', pathname));
  if (hasRecipientInQuery(url)) findings.push(urlFinding('recipient-in-query', 'query', url.search));
  if (hasRecipient(url.hash)) findings.push(urlFinding('recipient-in-fragment', 'fragment', url.hash));
  return findings;
}

/** Returns the names under which a browser may save: the end of the path, and parameters with such names. */
function checkNames(url: URL): Finding[] {
  const inQuery = [...url.searchParams]
    .slice(0, 100)
    .filter(([name]) => /^(?:file|filename|fn|name|download|attachment|f)$/i.test(name))
    .map(([, value]) => ['query', tidied(value)] as const);
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  for (const [where, name] of [['path', decoded(last)] as const, ...inQuery]) {
    const isDisguised = DISGUISED.test(name) && !ARCHIVE.test(name);
    if (!isDisguised && !PROGRAM.test(name)) continue;
    return [urlFinding(isDisguised ? 'double-extension' : 'program-download', where, name)];
  }
  return [];
}

function checkWords({ protocol, pathname, search }: URL): Finding[] {
  if (!LOGIN_PATH.test(pathname.slice(0, 2_048) + search.slice(0, 2_048))) return [];
  const login = urlFinding('login-path', 'path');
  return protocol === 'http:' ? [login, urlFinding('unprotected-login', 'scheme')] : [login];
}

/** Links of mailing lists also hold the address of the reader, but state their purpose. */
const LIST_LINK = /unsub|opt-?out|abmeld|desinscri|preference|newsletter|subscri|survey|track|click|calendar|invite/i;

function hasRecipientInQuery({ pathname, search }: URL): boolean {
  if (search === '' || LIST_LINK.test(pathname.slice(0, 2_048)) || LIST_LINK.test(search.slice(0, 2_048))) return false;
  return hasRecipient(search);
}

/**
 * Returns whether the fragment is the address of the recipient: `#name@company.example` and `#bmFtZUBjb21wYW55LmV4YW1wbGU=`. Such links
 * know to whom they were sent.
 */
function hasRecipient(hash: string): boolean {
  const text = decoded(hash.slice(1, 512));
  if (/^[?&/=!a-z_-]{0,20}$/i.test(text)) return false;
  if (EMAIL.test(text)) return true;
  return text
    .split(/[^a-z0-9+_-]/i)
    .filter((piece) => piece.length >= 12)
    .slice(0, 4)
    .some((piece) => WHOLE_EMAIL.test(Buffer.from(piece, 'base64').toString('latin1')));
}

/** Returns the name without percent-encoding and without the characters that Windows drops from the end of a name. */
function decoded(segment: string): string {
  try {
    return tidied(decodeURIComponent(segment));
  } catch {
    // A percent sign without a valid code means itself.
    return tidied(segment);
  }
}

const tidied = (name: string) => name.slice(-300).replace(/[\s.\0]{1,300}$/, '');
