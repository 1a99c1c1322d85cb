/**
 * Bench part `ordinary`: what the airlock does to more than 600 mails of ours in the shapes of real programs. Each is signed with DKIM
 * before, and its signature is verified behind. The policy trusts who signed the signed mails, and is the default one in all else. Words, links and files are read by parsers of others.
 */
import { openAirlock } from '../hostile/attack/airlock-run.ts';
import { sideBySide } from '../hostile/attack/attack-class.ts';
import { extensionOf } from '../ordinary/attached-files.ts';
import { corpus } from '../ordinary/corpus.ts';
import { createDkim } from '../ordinary/dkim.ts';
import { type Outcome, outcomeOf } from '../ordinary/outcome.ts';
import { trustingPolicy } from '../ordinary/signed-mail.ts';
import { count, type Figure, type Part, type Progress } from './figure.ts';

const PER_STEP = 50;
/** Bounces and other reports of servers. The rest, but for mails that carry a file to be made safe, is correspondence and newsletters. */
const BOUNCES: ReadonlySet<string> = new Set(['bounce', 'dmarc']);
const FILES: ReadonlySet<string> = new Set(['file', 'data']);
const TEN_THOUSAND = 10_000;
/** False holds of ten thousand mails. */
const MAX_HELD = { letters: 5, bounces: 100 } as const;
/** Lines of a list in the notes. */
const LISTED = 12;

export const ordinary: Part = {
  name: 'ordinary',
  title: 'What is done to ordinary mail',
  async measure(progress) {
    const outcomes = await scanAll(progress);
    const of = (test: (group: string) => boolean) => outcomes.filter(({ mail }) => test(mail.group));
    const letters = of((group) => !BOUNCES.has(group) && !FILES.has(group));
    const delivered = outcomes.filter((each) => each.delivered !== null);
    const unchanged = delivered.filter(({ isUnchanged }) => isUnchanged);
    const signed = of((group) => group === 'signed' || group === 'encrypted');
    const words = delivered.flatMap((each) => each.words);
    const figures: Figure[] = [
      figure('letters and newsletters held, of 10,000', heldOf(letters), MAX_HELD.letters),
      figure('reports of servers held, of 10,000', heldOf(of((group) => BOUNCES.has(group))), MAX_HELD.bounces),
      figure('words of a sender changed that are no link', words.length, 0),
      figure('DKIM signatures broken in mails of which nothing was changed', unchanged.filter(isBroken).length, 0),
      figure('bodies not byte-equal in mails of which nothing was changed', unchanged.filter(isNotEqual).length, 0),
      figure('S/MIME and PGP mails not delivered byte for byte', signed.filter(isNotEqual).length, 0),
      figure('mails delivered, of 100', (delivered.length / outcomes.length) * 100, null),
      figure(
        'bodies byte-equal, of 100',
        (outcomes.filter((each) => !isNotEqual(each)).length / outcomes.length) * 100,
        null,
      ),
      figure(
        'DKIM signatures intact, of 100',
        (outcomes.filter((each) => !isBroken(each)).length / outcomes.length) * 100,
        null,
      ),
      figure('links defanged', sum(delivered.map(({ links }) => links)), null),
    ];
    return { figures, tables: [groupTable(outcomes), fileTable(outcomes)], notes: notesOf(outcomes) };
  },
};

async function scanAll(progress: Progress): Promise<Outcome[]> {
  const mails = await corpus();
  const [engines, dkim] = [await openAirlock(), createDkim()];
  const airlock = engines.under(trustingPolicy());
  const outcomes: Outcome[] = [];
  try {
    for await (const outcome of sideBySide(mails, (mail) => outcomeOf(mail, airlock, dkim))) {
      outcomes.push(outcome);
      if (outcomes.length % PER_STEP === 0) progress(`${outcomes.length} of ${mails.length} mails`);
    }
  } finally {
    await engines.close();
  }
  return outcomes;
}

const isHeld = ({ delivered }: Outcome) => delivered === null;
const isBroken = ({ dkim }: Outcome) => dkim !== 'pass';
const isNotEqual = ({ isBodyEqual }: Outcome) => !isBodyEqual;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const heldOf = (outcomes: readonly Outcome[]) => (outcomes.filter(isHeld).length / outcomes.length) * TEN_THOUSAND;

function figure(name: string, value: number, atMost: number | null): Figure {
  return { name, measured: count(value), atMost, baselines: [] };
}

function groupTable(outcomes: readonly Outcome[]) {
  const rows = [...new Set(outcomes.map(({ mail }) => mail.group))].map((group) => {
    const all = outcomes.filter(({ mail }) => mail.group === group);
    const delivered = all.filter((each) => !isHeld(each));
    return [
      group,
      count(all.length),
      count(all.length - delivered.length),
      count(delivered.filter(({ isUnchanged }) => isUnchanged).length),
      count(delivered.filter(({ isBodyEqual }) => isBodyEqual).length),
      count(delivered.filter((each) => !isBroken(each)).length),
      count(sum(delivered.map(({ words }) => words.length))),
      count(sum(delivered.map(({ links }) => links))),
    ];
  });
  const columns = [
    'group',
    'mails',
    'held',
    'nothing changed',
    'body equal',
    'DKIM intact',
    'words changed',
    'links off',
  ];
  return { title: 'By group', columns, rows };
}

function fileTable(outcomes: readonly Outcome[]) {
  const files = outcomes.filter(({ mail }) => FILES.has(mail.group)).flatMap((each) => each.files);
  const rows = [...new Set(files.map(({ name }) => extensionOf(name)))].sort().map((extension) => {
    const own = files.filter(({ name }) => extensionOf(name) === extension);
    const ended = (disposition: string) => count(own.filter((each) => each.disposition === disposition).length);
    return [extension, count(own.length), ended('keep'), ended('disarm'), ended('remove')];
  });
  return { title: 'Files by type', columns: ['type', 'files', 'as it came', 'disarmed', 'removed'], rows };
}

function notesOf(outcomes: readonly Outcome[]): string[] {
  const listed = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [
          `${title}: ${lines.slice(0, LISTED).join('; ')}${lines.length > LISTED ? `; and ${lines.length - LISTED} more` : ''}.`,
        ];
  const delivered = outcomes.filter((each) => !isHeld(each));
  const unchanged = delivered.filter(({ isUnchanged }) => isUnchanged);
  return [
    `${outcomes.length} mails of ours in the shapes of real programs. The words of each are those that postal-mime and parse5 read.`,
    ...listed(
      'Held',
      outcomes.filter(isHeld).map(({ mail, why }) => `${mail.id} (${why.slice(0, 90)})`),
    ),
    ...listed(
      'Words changed',
      delivered
        .filter(({ words }) => words.length > 0)
        .map(({ mail, words }) => `${mail.id} (${words.slice(0, 6).join(' ')})`),
    ),
    ...listed(
      'Links switched off',
      delivered.filter(({ links }) => links > 0).map(({ mail, links }) => `${mail.id} (${links})`),
    ),
    ...listed(
      'Nothing changed, and yet another body',
      unchanged.filter(isNotEqual).map(({ mail }) => mail.id),
    ),
    ...listed(
      'Nothing changed, and yet DKIM is broken',
      unchanged.filter(isBroken).map(({ mail, dkim }) => `${mail.id} (${dkim})`),
    ),
  ];
}
