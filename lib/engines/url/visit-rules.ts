/** One table of all findings of a visit, with score and reason. It is the second half of the table in findings.ts. */
import type { Finding } from '../engine.ts';
import { findingOf } from './findings.ts';
import { type Rule, rule } from './rule.ts';

export const VISIT_RULES = {
  'login-on-look-alike': rule(
    'malicious',
    95,
    'Password form on a look-alike host',
    'The host name contains or imitates a brand that it does not belong to, and its page asks for a password.',
    ['T1566.002', 'T1598.003', 'T1656'],
  ),
  'brand-page-elsewhere': rule(
    'malicious',
    90,
    'Copy of a brand page on another host',
    'The page has the title and logo of a known brand and asks for a password, but the host does not belong to the brand.',
    ['T1566.002', 'T1598.003', 'T1656'],
  ),
  'brand-title-elsewhere': rule(
    'suspicious',
    60,
    'Brand title on another host',
    'The page has the title or the logo of a known brand and asks for a password, but the host does not belong to the brand.',
    ['T1598.003', 'T1656'],
  ),
  'credentials-elsewhere': rule(
    'suspicious',
    70,
    'Password sent to another site',
    'A form of the page sends a password to another domain.',
    ['T1056.003', 'T1598.003'],
  ),
  'credentials-unprotected': rule(
    'suspicious',
    50,
    'Password without TLS',
    'A form of the page sends a password over a connection that is not encrypted.',
    ['T1598.003'],
  ),
  'page-writes-itself': rule(
    'suspicious',
    60,
    'Page hidden in a script',
    'A script of the page decodes a long text and shows it as the page. The content cannot be read without running the script.',
    ['T1027'],
  ),
  'redirect-to-internal': rule(
    'suspicious',
    80,
    'Redirect into a private network',
    'The URL redirects to an address on this machine, in a private network or of a metadata service. The redirect was not followed.',
    ['T1190'],
  ),
  'internal-address': rule(
    'benign',
    10,
    'Private address',
    'The host is, or resolves to, an address that is not public. It was not visited.',
    [],
  ),
  'redirect-to-danger': rule(
    'suspicious',
    80,
    'Redirect to a dangerous scheme',
    'The URL redirects to a scheme that runs or opens something (javascript:, data:, file:, a program). The redirect was not followed.',
    ['T1204.001'],
  ),
  'many-redirects': rule(
    'suspicious',
    40,
    'Many redirects',
    'The URL goes through more redirects than a visit follows.',
    ['T1027'],
  ),
  'leads-elsewhere': rule('benign', 5, 'Leads to another site', 'The URL redirects to another domain.', []),
  'script-redirect': rule(
    'benign',
    10,
    'Redirect by a script',
    'A script of the page redirects the browser. Filters that run no scripts do not see this.',
    ['T1027'],
  ),
  'loses-protection': rule(
    'benign',
    10,
    'Redirect to an unencrypted page',
    'A redirect leads from an encrypted connection to an unencrypted one.',
    [],
  ),
  'certificate-refused': rule(
    'suspicious',
    40,
    'Certificate not valid',
    'The certificate of the host is expired, for another name or not from a trusted issuer. The visit ended there.',
    ['T1587.003'],
  ),
  'download-malicious': rule(
    'malicious',
    95,
    'Malicious download',
    'The URL leads to a file that the static analysis judged malicious.',
    ['T1105', 'T1204.002'],
  ),
  'download-suspicious': rule(
    'suspicious',
    70,
    'Suspicious download',
    'The URL leads to a file that the static analysis judged suspicious.',
    ['T1105', 'T1204.002'],
  ),
  'download-offered': rule('benign', 5, 'Leads to a file', 'The URL leads to a file, which was analysed.', []),
  'page-refused': rule(
    'benign',
    0,
    'No page shown',
    'The server answered with an error, so there was no page to judge. It may show a page to other visitors.',
    [],
  ),
  'whole-frame': rule('benign', 20, 'Page inside a page', 'The whole page is a frame that shows another one.', [
    'T1027',
  ]),
  'visit-ended': rule(
    'benign',
    0,
    'Visit not finished',
    'The visit could not be completed, so the page is not called benign.',
    [],
  ),
} as const satisfies Record<string, Rule>;

export type VisitRuleId = keyof typeof VISIT_RULES;

/** Makes a finding of a visit. `untrustedWhere` is the URL where it was found. */
export function visitFinding(id: VisitRuleId, untrustedWhere: string | null, untrustedEvidence?: string): Finding {
  return findingOf(id, VISIT_RULES[id], untrustedWhere, untrustedEvidence);
}
