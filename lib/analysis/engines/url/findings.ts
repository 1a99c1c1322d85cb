/** What the URL engine can find in the URL itself, with the score of each and why. One table: the report, the documentation and the tests read it. */
import type { Finding } from '../engine.ts';

export type Rule = Pick<Finding, 'name' | 'description' | 'level' | 'score'> & {
  readonly techniques: readonly string[];
};

/** What one piece of evidence is cut to: a URL can be its own flood. */
const EVIDENCE_CHARACTERS = 300;

const rule = (
  level: Rule['level'],
  score: number,
  name: string,
  description: string,
  techniques: readonly string[] = ['T1566.002'],
): Rule => ({ level, score, name, description, techniques });

/**
 * Scores run from 0 to 100. 90 and more: the URL is the attack. 50 to 80: a trick that ordinary mail has no use for. 40: a habit of
 * attacks that some ordinary mail has too. Below: a fact, which together with others can be a reason (scoring.ts).
 */
export const URL_RULES = {
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
  'ip-address-host': rule('suspicious', 50, 'Address instead of a name', 'The host is an IP address.'),
  'disguised-address': rule(
    'suspicious',
    75,
    'Disguised address',
    'The host is an IP address in a spelling that hides it: one number, hexadecimal, octal, shortened or inside an IPv6 address.',
    ['T1027', 'T1566.002'],
  ),
  'mixed-script-host': rule(
    'suspicious',
    70,
    'Look-alike letters',
    'A label of the host mixes alphabets, or is made of letters of another alphabet that look Latin.',
    ['T1036', 'T1566.002'],
  ),
  'brand-homograph': rule(
    'malicious',
    90,
    'Brand in look-alike letters',
    'Read as Latin letters, the host is the name of a known brand, and it does not belong to it.',
    ['T1036', 'T1566.002', 'T1656'],
  ),
  'punycode-host': rule(
    'benign',
    5,
    'International host name',
    'The host has letters outside ASCII; ordinary for names in other languages.',
    [],
  ),
  'borrowed-brand': rule(
    'suspicious',
    60,
    'Brand on a foreign domain',
    'The host or path carries the name of a known brand but does not belong to it.',
    ['T1566.002', 'T1656'],
  ),
  'misspelled-brand': rule(
    'suspicious',
    60,
    'Misspelled brand',
    'The host is the name of a known brand but for one letter, or with letters that look like others.',
    ['T1566.002', 'T1583.001'],
  ),
  'brand-in-path': rule(
    'benign',
    25,
    'Brand in the path',
    'A part of the path is the name of a brand the host does not belong to.',
    ['T1656'],
  ),
  'credential-words': rule(
    'benign',
    20,
    'Words of a login in the host',
    'The host is put together from words such as login, verify or account.',
  ),
  'many-credential-words': rule(
    'suspicious',
    40,
    'Host made of words of a login',
    'The host is put together from several words such as login, verify or account.',
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
    'benign',
    20,
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
  'many-subdomains': rule(
    'suspicious',
    40,
    'Many subdomains',
    'The host has so many labels that its end, which is its owner, is not seen.',
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
  'unusual-port': rule(
    'suspicious',
    40,
    'Unusual port',
    'The URL leads to a port that web sites for the public do not use.',
    ['T1571'],
  ),
  'free-hosting': rule('benign', 15, 'Free hosting', 'Anyone can publish under this host within minutes.', [
    'T1583.006',
  ]),
  'dynamic-dns': rule(
    'benign',
    30,
    'Dynamic DNS',
    'The name is one of a service for machines at home, which attacks use as well.',
    ['T1568'],
  ),
  tunnel: rule(
    'suspicious',
    40,
    'Tunnel to a private machine',
    'The host is a tunnel that leads to a machine of whoever opened it, for as long as it is open.',
    ['T1572'],
  ),
  'ipfs-gateway': rule(
    'suspicious',
    40,
    'Gateway to IPFS',
    'The page lies in a file system that nobody can take it out of.',
    ['T1583.006'],
  ),
  'short-link': rule('benign', 10, 'Short link', 'Where it leads is known to the service only.', ['T1204.001']),
  'abused-suffix': rule(
    'benign',
    15,
    'Cheap top-level domain',
    'Names under this top-level domain are often registered for attacks.',
    ['T1583.001'],
  ),
  'made-up-name': rule('benign', 15, 'Name without meaning', 'The registered name looks made up by a program.', [
    'T1568.002',
  ]),
  'many-hyphens': rule('benign', 15, 'Many hyphens', 'The host is a row of words joined by hyphens.', ['T1583.001']),
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
