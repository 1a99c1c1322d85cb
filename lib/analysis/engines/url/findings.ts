/** What the URL engine can find, with the score of each and why. One table: the report, the documentation and the tests read it. */
import type { Finding } from '../engine.ts';

interface Rule extends Pick<Finding, 'name' | 'description' | 'level' | 'score'> {}

/**
 * Scores run from 0 to 100. 100: the URL is the attack. 60 to 80: a trick that ordinary mail has no use for. 40: a habit of
 * attacks that some ordinary mail has too. 10: worth telling, no reason to hold anything.
 */
export const URL_RULES = {
  'malicious-test-url': {
    name: 'Test URL',
    description: 'Malicious by agreement, for trying the flow: the top-level domain .test is reserved (RFC 6761).',
    level: 'malicious',
    score: 100,
  },
  'script-url': {
    name: 'Script in the URL',
    description: 'The URL is a program (javascript:, vbscript:) that runs where it is opened.',
    level: 'malicious',
    score: 90,
  },
  'data-document': {
    name: 'Document in the URL',
    description: 'The URL carries a page or a file in itself (data:), which no filter on the way has seen.',
    level: 'suspicious',
    score: 80,
  },
  'file-share': {
    name: 'File or network share',
    description:
      'The URL opens a file, or a share on another machine (file:, \\\\server), which gets the credentials of the user.',
    level: 'suspicious',
    score: 80,
  },
  'program-scheme': {
    name: 'Starts a program',
    description: 'The scheme of the URL hands it to an installed program.',
    level: 'suspicious',
    score: 60,
  },
  'user-information': {
    name: 'Name before the host',
    description: 'What looks like the host is a user name; the host comes after the @.',
    level: 'suspicious',
    score: 70,
  },
  'ip-address-host': {
    name: 'Address instead of a name',
    description: 'The host is an IP address.',
    level: 'suspicious',
    score: 50,
  },
  'mixed-script-host': {
    name: 'Look-alike letters',
    description: 'A label of the host mixes alphabets, or is made of letters of another alphabet that look Latin.',
    level: 'suspicious',
    score: 70,
  },
  'punycode-host': {
    name: 'International host name',
    description: 'The host has letters outside ASCII; ordinary for names in other languages.',
    level: 'benign',
    score: 10,
  },
  'borrowed-brand': {
    name: 'Brand on a foreign domain',
    description: 'The host or path carries the name of a known brand but does not belong to it.',
    level: 'suspicious',
    score: 60,
  },
  'program-download': {
    name: 'Program download',
    description: 'The path ends in the extension of a program, a script, a shortcut or a disk image.',
    level: 'suspicious',
    score: 60,
  },
  'many-subdomains': {
    name: 'Many subdomains',
    description: 'The host has so many labels that its end, which is its owner, is not seen.',
    level: 'suspicious',
    score: 40,
  },
  'very-long': {
    name: 'Very long URL',
    description: 'The URL is too long to be read, and longer than some programs accept.',
    level: 'suspicious',
    score: 40,
  },
  'unusual-port': {
    name: 'Unusual port',
    description: 'The URL leads to a port that web sites for the public do not use.',
    level: 'suspicious',
    score: 40,
  },
  'embedded-url': {
    name: 'URL inside the URL',
    description: 'A parameter or the path holds another URL: a redirect or a link wrapper; ordinary in newsletters.',
    level: 'benign',
    score: 10,
  },
} as const satisfies Record<string, Rule>;

export type UrlRuleId = keyof typeof URL_RULES;

/** The finding of a rule. `where` names the part of the URL it stands in. */
export function urlFinding(id: UrlRuleId, where: string | null): Finding {
  return { id, ...URL_RULES[id], where };
}
