/** One table of all findings in the URL itself, with score and reason. Reports, documentation and tests read it. */
import type { Finding } from '../engine.ts';
import { HOST_RULES } from './host-rules.ts';
import { type Rule, rule } from './rule.ts';

/** Longest evidence that a finding keeps: a hostile URL can be megabytes long. */
const EVIDENCE_CHARACTERS = 300;

export const URL_RULES = {
  ...HOST_RULES,
  'malicious-test-url': rule(
    'malicious',
    100,
    'Test URL',
    'This URL is always judged malicious, so that the flow can be tested. The top-level domain .test is reserved (RFC 6761).',
    [],
  ),
  'script-url': rule(
    'malicious',
    90,
    'Script in the URL',
    'The URL is a script (javascript:, vbscript:) that runs when it is opened.',
    ['T1059.007', 'T1204.001'],
  ),
  'idle-script-url': rule(
    'suspicious',
    40,
    'Empty script in the URL',
    'The URL is a script that does nothing (javascript:void(0)). Many pages use it in place of a link.',
    [],
  ),
  'scripted-document': rule(
    'malicious',
    90,
    'Page with a script or a form in the URL',
    'The URL contains a whole page (data:) that runs a script or asks for input.',
    ['T1027.006', 'T1204.001'],
  ),
  'data-document': rule(
    'suspicious',
    80,
    'Document in the URL',
    'The URL contains a page or a file (data:), so web filters on the way do not see its content.',
    ['T1027.006', 'T1204.001'],
  ),
  'file-share': rule(
    'suspicious',
    80,
    'File or network share',
    'The URL opens a file or a share on another machine (file:, \\\\server). That machine may receive the credentials of the user.',
    ['T1187'],
  ),
  'program-scheme': rule('suspicious', 60, 'Starts a program', 'The scheme of the URL starts an installed program.', [
    'T1204.001',
  ]),
  'attaches-a-file': rule(
    'suspicious',
    80,
    'Attaches a file of the user',
    'The link names a file, and some programs attach it to the new message without asking (mailto:…?attach=).',
    ['T1005', 'T1204.001'],
  ),
  'user-information': rule(
    'suspicious',
    70,
    'User name before the host',
    'The part that looks like the host is a user name. The real host comes after the at sign.',
    ['T1036', 'T1566.002'],
  ),
  'confused-authority': rule(
    'suspicious',
    70,
    'Ambiguous host',
    'There is a backslash or a percent-encoded delimiter where the host ends, so programs disagree about the host.',
    ['T1036', 'T1566.002'],
  ),
  'hidden-characters': rule(
    'suspicious',
    60,
    'Invisible characters',
    'The URL holds invisible characters: line breaks, direction marks or characters without width.',
    ['T1027', 'T1036.002'],
  ),
  'brand-in-path': rule(
    'benign',
    25,
    'Brand in the path',
    'The path holds the name of a brand that the host does not belong to.',
    ['T1656'],
  ),
  'login-path': rule('benign', 10, 'Login in the path', 'The path has words for signing in or for an account.', []),
  'unprotected-login': rule(
    'benign',
    10,
    'Login without TLS',
    'The path has words for signing in, but the connection is not encrypted.',
    [],
  ),
  'site-internals': rule(
    'suspicious',
    40,
    'Page in a system folder of a site',
    'The page is in a folder of a content management system that should hold no pages. Intruders often place pages there.',
    ['T1584.004'],
  ),
  'program-download': rule(
    'suspicious',
    60,
    'Program download',
    'The path ends in the extension of a program, a script, a shortcut or a disk image.',
    ['T1105', 'T1204.001'],
  ),
  'double-extension': rule(
    'suspicious',
    70,
    'Two extensions',
    'The file name has the extension of a document before the extension of a program.',
    ['T1036.007', 'T1204.001'],
  ),
  'very-long': rule(
    'suspicious',
    40,
    'Very long URL',
    'The URL is too long for a person to read, and longer than some programs accept.',
    ['T1027'],
  ),
  'needless-encoding': rule(
    'suspicious',
    50,
    'Needless encoding',
    'Plain letters and digits are written as percent codes. This only serves to hide them.',
    ['T1027'],
  ),
  'recipient-in-query': rule(
    'benign',
    25,
    'Address of the recipient in a parameter',
    'A parameter holds an email address, plain or encoded. Phishing pages use it to fill in the user name.',
    ['T1566.002'],
  ),
  'recipient-in-fragment': rule(
    'suspicious',
    40,
    'Address of the recipient after the #',
    'The fragment holds an email address, plain or encoded. Phishing pages use it to fill in the user name.',
    ['T1566.002', 'T1598.003'],
  ),
  'rewritten-link': rule(
    'benign',
    0,
    'Rewritten link',
    'A mail filter has rewritten the URL. Its target was also judged.',
    [],
  ),
  'open-redirector': rule(
    'benign',
    10,
    'Redirector',
    'A well-known service redirects to the address in its parameter. That target was also judged.',
    ['T1204.001'],
  ),
  'embedded-url': rule(
    'benign',
    5,
    'URL inside the URL',
    'A parameter or the path holds another URL, as in a redirect or link wrapper. This is common in newsletters. It was also judged.',
    [],
  ),
} as const satisfies Record<string, Rule>;

export type UrlRuleId = keyof typeof URL_RULES;

/** Makes the finding of a rule. `where` names the part of the URL; `untrustedEvidence` is the text that was found there. */
export function urlFinding(id: UrlRuleId, where: string | null, untrustedEvidence?: string): Finding {
  return findingOf(id, URL_RULES[id], where, untrustedEvidence);
}

/** Makes a finding with the texts of its rule. Long evidence is cut. */
export function findingOf(id: string, found: Rule, where: string | null, untrustedEvidence?: string): Finding {
  const { techniques, ...words } = found;
  return {
    id,
    ...words,
    where,
    ...(techniques.length > 0 && { techniques }),
    ...(untrustedEvidence && { evidence: untrustedEvidence.slice(0, EVIDENCE_CHARACTERS) }),
  };
}
