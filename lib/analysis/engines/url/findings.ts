/** What the URL engine can find in the URL itself, with the score of each and why: the report, the documentation and the tests read it. */
import type { Finding } from '../engine.ts';
import { HOST_RULES } from './host-rules.ts';
import { type Rule, rule } from './rule.ts';

/** What one piece of evidence is cut to: a URL can be its own flood. */
const EVIDENCE_CHARACTERS = 300;

export const URL_RULES = {
  ...HOST_RULES,
  'malicious-test-url': rule(
    'malicious',
    100,
    'Test URL',
    'Malicious by agreement, for trying the flow: the top-level domain .test is reserved (RFC 6761).',
    [],
  ),
  'script-url': rule(
    'malicious',
    90,
    'Script in the URL',
    'The URL is a program (javascript:, vbscript:) that runs where it is opened.',
    ['T1059.007', 'T1204.001'],
  ),
  'idle-script-url': rule(
    'suspicious',
    40,
    'Empty script in the URL',
    'The URL is a program that does nothing (javascript:void(0)), as many pages have in place of a link.',
    [],
  ),
  'scripted-document': rule(
    'malicious',
    90,
    'Page with a script or a form in the URL',
    'The URL carries a whole page (data:) that runs a script or asks for input.',
    ['T1027.006', 'T1204.001'],
  ),
  'data-document': rule(
    'suspicious',
    80,
    'Document in the URL',
    'The URL carries a page or a file in itself (data:), which no filter on the way has seen.',
    ['T1027.006', 'T1204.001'],
  ),
  'file-share': rule(
    'suspicious',
    80,
    'File or network share',
    'The URL opens a file, or a share on another machine (file:, \\\\server), which gets the credentials of the user.',
    ['T1187'],
  ),
  'program-scheme': rule(
    'suspicious',
    60,
    'Starts a program',
    'The scheme of the URL hands it to an installed program.',
    ['T1204.001'],
  ),
  'attaches-a-file': rule(
    'suspicious',
    80,
    'Attaches a file of the user',
    'The address names a file, which some programs attach to the new message without a word (mailto:…?attach=).',
    ['T1005', 'T1204.001'],
  ),
  'user-information': rule(
    'suspicious',
    70,
    'Name before the host',
    'What looks like the host is a user name; the host comes after the @.',
    ['T1036', 'T1566.002'],
  ),
  'confused-authority': rule(
    'suspicious',
    70,
    'Two readings of the host',
    'Backslashes or a percent-encoded delimiter stand where the host ends, so that programs disagree about which host is meant.',
    ['T1036', 'T1566.002'],
  ),
  'hidden-characters': rule(
    'suspicious',
    60,
    'Invisible characters',
    'The URL holds characters that nobody sees: line breaks, direction marks or letters of no width.',
    ['T1027', 'T1036.002'],
  ),
  'brand-in-path': rule(
    'benign',
    25,
    'Brand in the path',
    'A part of the path is the name of a brand the host does not belong to.',
    ['T1656'],
  ),
  'login-path': rule('benign', 10, 'Login in the path', 'The path speaks of signing in or of an account.', []),
  'unprotected-login': rule(
    'benign',
    10,
    'Login without TLS',
    'The path speaks of signing in, and the connection is not protected.',
    [],
  ),
  'site-internals': rule(
    'suspicious',
    40,
    'Page among the internals of a site',
    'The page lies in a folder of a content management system where no pages belong: often put there by an intruder.',
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
    'The name of the file ends like a document and then like a program.',
    ['T1036.007', 'T1204.001'],
  ),
  'very-long': rule(
    'suspicious',
    40,
    'Very long URL',
    'The URL is too long to be read, and longer than some programs accept.',
    ['T1027'],
  ),
  'needless-encoding': rule(
    'suspicious',
    50,
    'Needless encoding',
    'Plain letters and digits are written as percent codes, which only hides what they say.',
    ['T1027'],
  ),
  'recipient-in-query': rule(
    'benign',
    25,
    'Address of the recipient in a parameter',
    'A parameter holds an email address, plain or encoded, as pages that ask for a password prefill it.',
    ['T1566.002'],
  ),
  'recipient-in-fragment': rule(
    'suspicious',
    40,
    'Address of the recipient after the #',
    'The fragment holds an email address, plain or encoded, as pages that ask for a password prefill it.',
    ['T1566.002', 'T1598.003'],
  ),
  'rewritten-link': rule(
    'benign',
    0,
    'Rewritten link',
    'A mail filter has rewritten the URL; its target was judged.',
    [],
  ),
  'open-redirector': rule(
    'benign',
    10,
    'Redirector',
    'A well-known service leads to whatever its parameter says; the target was judged.',
    ['T1204.001'],
  ),
  'embedded-url': rule(
    'benign',
    5,
    'URL inside the URL',
    'A parameter or the path holds another URL: a redirect or a link wrapper; ordinary in newsletters. It was judged too.',
    [],
  ),
} as const satisfies Record<string, Rule>;

export type UrlRuleId = keyof typeof URL_RULES;

/** The finding of a rule. `where` names the part of the URL it stands in; `untrustedEvidence` is what was seen there. */
export function urlFinding(id: UrlRuleId, where: string | null, untrustedEvidence?: string): Finding {
  return findingOf(id, URL_RULES[id], where, untrustedEvidence);
}

/** A finding with its rule's words; evidence is cut. */
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
