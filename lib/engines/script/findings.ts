/** One table of all findings of a script run, with level, score and reason. Reports, documentation and tests read it. */
import type { Finding } from '../engine.ts';

type Rule = Pick<Finding, 'name' | 'description' | 'level' | 'score'> & { readonly techniques: readonly string[] };

/**
 * 85 and more: only an attack in a mail does this. 50 to 80: ordinary mail has no use for it. 40: attacks often do it, but ordinary
 * scripts do it too. 10 and less: information only.
 */
export const BEHAVIOUR_RULES = {
  'behaviour-runs-download': {
    name: 'Runs what it downloads',
    description: 'The script fetches a file, stores it and starts it.',
    level: 'malicious',
    score: 95,
    techniques: ['T1105', 'T1204.002'],
  },
  'behaviour-runs-dropped-file': {
    name: 'Runs what it writes',
    description: 'The script writes a file and starts it.',
    level: 'malicious',
    score: 95,
    techniques: ['T1027.009', 'T1204.002'],
  },
  'behaviour-starts-interpreter': {
    name: 'Starts a system tool',
    description: 'The script starts a command interpreter, or a system tool that attacks use in its place.',
    level: 'malicious',
    score: 90,
    techniques: ['T1059', 'T1218'],
  },
  'behaviour-starts-program': {
    name: 'Starts a program',
    description: 'The script starts a program.',
    level: 'suspicious',
    score: 70,
    techniques: ['T1204.002'],
  },
  'behaviour-stores-download': {
    name: 'Stores what it downloads',
    description: 'The script fetches a file and writes it to the disk.',
    level: 'malicious',
    score: 85,
    techniques: ['T1105'],
  },
  'behaviour-contacts-host': {
    name: 'Contacts a host',
    description: 'The script makes a request from outside a browser.',
    level: 'suspicious',
    score: 70,
    techniques: ['T1071.001'],
  },
  'behaviour-page-request': {
    name: 'Page makes a request',
    description: 'The page loads something from a host, as pages do.',
    level: 'benign',
    score: 10,
    techniques: [],
  },
  'behaviour-writes-program': {
    name: 'Writes a program or script',
    description: 'The script writes a file that can be run.',
    level: 'malicious',
    score: 85,
    techniques: ['T1027.009'],
  },
  'behaviour-writes-file': {
    name: 'Writes a file',
    description: 'The script writes, copies or moves a file.',
    level: 'suspicious',
    score: 50,
    techniques: [],
  },
  'behaviour-persistence': {
    name: 'Makes itself start again',
    description: 'The script writes to a place from which Windows starts programs.',
    level: 'malicious',
    score: 90,
    techniques: ['T1547.001'],
  },
  'behaviour-registry-write': {
    name: 'Changes the registry',
    description: 'The script writes or deletes values of the registry.',
    level: 'suspicious',
    score: 50,
    techniques: ['T1112'],
  },
  'behaviour-system-survey': {
    name: 'Collects information about the machine',
    description: 'The script collects names, programs, hardware or protection software of the machine.',
    level: 'suspicious',
    score: 50,
    techniques: ['T1047', 'T1057', 'T1082'],
  },
  'behaviour-evades-analysis': {
    name: 'Checks whether it is being analysed',
    description: 'The script looks for signs of virtual machines and analysis tools.',
    level: 'suspicious',
    score: 70,
    techniques: ['T1497.001'],
  },
  'behaviour-long-delay': {
    name: 'Waits long',
    description: 'The script waits a minute or longer before it continues. The emulated clock was moved forward.',
    level: 'suspicious',
    score: 40,
    techniques: ['T1497.003'],
  },
  'behaviour-decoded-code': {
    name: 'Decodes and runs code',
    description: 'The script generates code that is not in the file, and runs it.',
    level: 'suspicious',
    score: 60,
    techniques: ['T1027', 'T1140'],
  },
  'behaviour-page-decoded-code': {
    name: 'Page decodes code',
    description: 'The page generates code or markup that is not in the file.',
    level: 'suspicious',
    score: 40,
    techniques: ['T1027', 'T1140'],
  },
  'behaviour-smuggled-file': {
    name: 'Assembles a file in the page',
    description: 'The page makes a file from its own data and saves it, so no filter on the way sees the file.',
    level: 'suspicious',
    score: 75,
    techniques: ['T1027.006'],
  },
  'behaviour-smuggled-program': {
    name: 'Smuggles a program',
    description: 'The page makes a program, a script, an archive or a disk image from its own data and saves it.',
    level: 'malicious',
    score: 95,
    techniques: ['T1027.006', 'T1204.002'],
  },
  'behaviour-redirect': {
    name: 'Redirects to another address',
    description: 'A script of the page redirects to another address.',
    level: 'suspicious',
    score: 60,
    techniques: ['T1204.001'],
  },
  'behaviour-sends-form': {
    name: 'Sends what was typed',
    description: 'The script sends a form with the text that a person typed.',
    level: 'suspicious',
    score: 60,
    techniques: ['T1056.003'],
  },
  'behaviour-pdf-opens-url': {
    name: 'Document opens a link or file',
    description: 'The script of the document opens a URL or another file.',
    level: 'suspicious',
    score: 70,
    techniques: ['T1204.001'],
  },
  'behaviour-pdf-runs-attachment': {
    name: 'Document opens its attachment',
    description: 'The script of the document saves an attached file and opens it.',
    level: 'malicious',
    score: 90,
    techniques: ['T1204.002'],
  },
  'behaviour-pdf-saves-attachment': {
    name: 'Document saves its attachment',
    description: 'The script of the document saves an attached file.',
    level: 'suspicious',
    score: 60,
    techniques: ['T1204.002'],
  },
  'behaviour-exploit-call': {
    name: 'Exploit call',
    description: 'The script calls a function in the way known exploits do.',
    level: 'malicious',
    score: 90,
    techniques: ['T1203'],
  },
  'behaviour-sends-mail': {
    name: 'Sends mail',
    description: 'The script sends a message through the mail program.',
    level: 'suspicious',
    score: 60,
    techniques: ['T1566'],
  },
  'behaviour-deletes-itself': {
    name: 'Deletes its own file',
    description: 'The script deletes the file it came in.',
    level: 'suspicious',
    score: 70,
    techniques: ['T1070.004'],
  },
  'behaviour-clipboard-command': {
    name: 'Puts a command on the clipboard',
    description: 'The page puts a command on the clipboard so that a person pastes and runs it.',
    level: 'malicious',
    score: 85,
    techniques: ['T1204.004'],
  },
  'behaviour-malicious-file': {
    name: 'Malicious file produced',
    description: 'The script produced a file or a layer of code that is malicious by itself.',
    level: 'malicious',
    score: 90,
    techniques: ['T1027'],
  },
  'behaviour-loads-assembly': {
    name: 'Loads a .NET program from memory',
    description: 'The script deserialises data into a .NET program and calls it without a file.',
    level: 'malicious',
    score: 95,
    techniques: ['T1620'],
  },
  'behaviour-destroys-documents': {
    name: "Removes the user's documents",
    description: 'The script deletes, moves or overwrites several documents of the user, as ransomware does.',
    level: 'malicious',
    score: 95,
    techniques: ['T1485', 'T1486'],
  },
  'behaviour-hidden-address': {
    name: 'Page hides a host name',
    description: 'The page loads something from a host whose name is not visible in its source.',
    level: 'suspicious',
    score: 60,
    techniques: ['T1027'],
  },
  'behaviour-limit-reached': {
    name: 'Reached a limit',
    description:
      'The script was stopped at a limit, so part of its behaviour was not seen. Ordinary scripts stay far below the limits.',
    level: 'suspicious',
    score: 50,
    techniques: ['T1499'],
  },
  'behaviour-incomplete': {
    name: 'Not everything ran',
    description:
      'A script ended with an error, used something that is not emulated, or is in a language that is not emulated.',
    level: 'benign',
    score: 0,
    techniques: [],
  },
  'behaviour-no-effect': {
    name: 'No visible purpose',
    description:
      'A script for Windows ran and did nothing harmful. A script that notices the analysis would behave in the same way.',
    level: 'benign',
    score: 0,
    techniques: [],
  },
} as const satisfies Record<string, Rule>;

export type BehaviourRuleId = keyof typeof BEHAVIOUR_RULES;

/** Makes the finding of a rule with its evidence. */
export function behaviour(id: BehaviourRuleId, evidence: string): Finding {
  const { name, description, level, score, techniques } = BEHAVIOUR_RULES[id];
  return { id, name, description, level, score, techniques: [...techniques], where: evidence.slice(0, 300), evidence };
}
