/**
 * Bench part `hostile`: how many hidden payloads are found, in generated mail by class and in the case files, and what the
 * reader makes of ordinary mail.
 */
import { evasionScore, ordinaryScore, scoreOf } from '../hostile/score.ts';
import { count, type Figure, type Part } from './figure.ts';

const MAILS = 5_000;
/** The numbers that the tests do not use. */
const FIRST = 100_000;

export const hostile: Part = {
  name: 'hostile',
  title: 'Payloads found in generated hostile mail',
  async measure(progress) {
    progress(`reading ${MAILS} hostile mails`);
    const { mails, found, silent, byTrick } = await scoreOf(FIRST, MAILS);
    progress('reading the evasion cases and ordinary mail');
    const evasion = await evasionScore();
    const ordinary = await ordinaryScore();
    const figures: Figure[] = [
      figure('payloads not found', mails - found, Math.floor(MAILS / 100)),
      figure('mails with neither the payload nor a warning', silent.length, 0),
      figure('evasion cases not found', evasion.missed.length, 0),
      figure('warnings of ordinary mail', ordinary.warnings, 0),
      figure('parts of ordinary mail that one reading alone lists', ordinary.extras, 0),
    ];
    const rows = [...byTrick]
      .map(([trick, entry]) => ({ trick, ...entry, share: entry.found / entry.mails }))
      .sort((one, other) => one.share - other.share || (one.trick < other.trick ? -1 : 1))
      .map(({ trick, mails: all, found: hits, share }) => [
        trick,
        count(all),
        count(hits),
        `${(share * 100).toFixed(1)} %`,
      ]);
    return {
      figures,
      tables: [{ title: 'By trick', columns: ['trick', 'mails', 'found', 'share'], rows }],
      notes: [
        `${evasion.cases - evasion.missed.length} of ${evasion.cases} evasion cases have the payload, or its URL, among the artifacts.${evasion.missed.map((id) => ` Missed: ${id}.`).join('')}`,
        `${ordinary.mails} ordinary mails, ${ordinary.parts} parts.`,
        `Every mail takes one trick of each kind: boundary, encoding, header, container, line ends. ${found} of ${mails} found.`,
      ],
    };
  },
};

function figure(name: string, value: number, atMost: number): Figure {
  return { name, measured: count(value), atMost, baselines: [] };
}
