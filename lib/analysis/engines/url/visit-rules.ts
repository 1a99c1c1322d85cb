/** What a visit can show, with the score of each and why. The second half of the URL engine's table (findings.ts). */
import type { Finding } from '../engine.ts';
import { findingOf } from './findings.ts';
import { type Rule, rule } from './rule.ts';

export const VISIT_RULES = {
  'login-on-look-alike': rule(
    'malicious',
    95,
    'Password asked for under a look-alike name',
    'The host carries the name of a brand it does not belong to, and its page asks for a password.',
    ['T1566.002', 'T1598.003', 'T1656'],
  ),
  'brand-page-elsewhere': rule(
    'malicious',
    90,
    'Page of a brand on a foreign host',
    'Title and logo are those of a known brand, the page asks for a password, and the host does not belong to the brand.',
    ['T1566.002', 'T1598.003', 'T1656'],
  ),
  'brand-title-elsewhere': rule(
    'suspicious',
    60,
    'Title of a brand on a foreign host',
    'The page asks for a password under the title or the logo of a known brand that the host does not belong to.',
    ['T1598.003', 'T1656'],
  ),
  'credentials-elsewhere': rule(
    'suspicious',
    70,
    'Password sent to another site',
    'A form of the page sends a password to a domain that is not the one of the page.',
    ['T1056.003', 'T1598.003'],
  ),
  'credentials-unprotected': rule(
    'suspicious',
    50,
    'Password without TLS',
    'A form of the page sends a password over a connection that is not protected.',
    ['T1598.003'],
  ),
  'page-writes-itself': rule(
    'suspicious',
    60,
    'Page hidden in a script',
    'A script of the page decodes a long text and makes it the page: what is shown cannot be read without running it.',
    ['T1027'],
  ),
  'redirect-to-internal': rule(
    'suspicious',
    80,
    'Redirect into a private network',
    'The URL redirects to an address that is not public: of this machine, of a private network or of a metadata service. It was not followed.',
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
    'Redirect to no page',
    'The URL redirects to a scheme that runs or opens something (javascript:, data:, file:, a program). It was not followed.',
    ['T1204.001'],
  ),
  'many-redirects': rule(
    'suspicious',
    40,
    'Many redirects',
    'The URL leads over more redirects than a visit follows.',
    ['T1027'],
  ),
  'leads-elsewhere': rule(
    'benign',
    5,
    'Leads to another site',
    'The URL redirects to a domain that is not its own.',
    [],
  ),
  'script-redirect': rule(
    'benign',
    10,
    'Moved on by a script',
    'A page sends the browser on by a script, where filters that run none see nothing.',
    ['T1027'],
  ),
  'loses-protection': rule(
    'benign',
    10,
    'Loses protection',
    'A redirect leads from a protected connection to one that is not.',
    [],
  ),
  'certificate-refused': rule(
    'suspicious',
    40,
    'Certificate not valid',
    'The certificate of the host could not be verified: expired, for another name or from nobody who is trusted. The visit ended there.',
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
    'The server answered with an error, so that there was no page to judge; it may show one to others.',
    [],
  ),
  'whole-frame': rule('benign', 20, 'Page inside a page', 'The whole page is a frame that shows another one.', [
    'T1027',
  ]),
  'visit-ended': rule(
    'benign',
    0,
    'Visit not finished',
    'The page could not be seen to its end, so it is not called benign.',
    [],
  ),
} as const satisfies Record<string, Rule>;

export type VisitRuleId = keyof typeof VISIT_RULES;

/** The finding of a visit. `untrustedWhere` is the URL it was seen at. */
export function visitFinding(id: VisitRuleId, untrustedWhere: string | null, untrustedEvidence?: string): Finding {
  return findingOf(id, VISIT_RULES[id], untrustedWhere, untrustedEvidence);
}
