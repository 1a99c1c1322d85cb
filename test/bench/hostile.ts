/**
 * Bench part `hostile`: how many hidden payloads are found, in generated mail by class and in the case files, and what the
 * reader makes of ordinary mail.
 */
import { readMessage } from '../../lib/message/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { scoreOf } from '../hostile/score.ts';
import { ORDINARY_MAIL } from '../message/ordinary-mail.ts';
import { CASES, evasionCases } from './case-files.ts';
import { count, type Figure, type Part } from './figure.ts';
import { smallEmails } from './mails.ts';
import { ledgerOf } from './reading-ledger.ts';

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
      ...(evasion === null ? [] : [figure('evasion cases not found', evasion.missed.length, 0)]),
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
        evasion === null
          ? `No evasion cases here: there is no ${CASES}.`
          : `${evasion.cases - evasion.missed.length} of ${evasion.cases} evasion cases have the payload, or its URL, among the artifacts.${evasion.missed.map((id) => ` Missed: ${id}.`).join('')}`,
        `${ordinary.mails} ordinary mails, ${ordinary.parts} parts.`,
        `Every mail takes one trick of each kind: boundary, encoding, header, container, line ends. ${found} of ${mails} found.`,
      ],
    };
  },
};

/** The cases whose payload is an artifact of the ledger, as its bytes or, where the case is about a URL, as that. */
async function evasionScore(): Promise<{ readonly cases: number; readonly missed: readonly string[] } | null> {
  const index = evasionCases();
  if (index === null) return null;
  const missed: string[] = [];
  for (const { id, kind, email } of index.cases) {
    const { artifacts, urls } = await ledgerOf(email);
    const hidden = /url="([^"]+)"/i.exec(email.toString('latin1'))?.[1];
    const isFound =
      kind === 'url'
        ? urls.some(({ normalised }) => normalised === hidden)
        : artifacts.some(({ id: sha256 }) => sha256 === index.payloadSha256);
    if (!isFound) missed.push(id);
  }
  return { cases: index.cases.length, missed };
}

async function ordinaryScore() {
  const small = await smallEmails();
  const mails = [...ORDINARY_MAIL.map(({ email }) => email), ...Array.from({ length: 10 }, (_, at) => small(at))];
  const score = { mails: mails.length, parts: 0, warnings: 0, extras: 0 };
  for (const email of mails) {
    const { parts, warnings } = await readMessage(email, DEFAULT_LIMITS);
    score.parts += parts.length;
    score.warnings += warnings.length;
    score.extras += parts.filter(({ sha256, readings }) => sha256 !== null && readings.length < 2).length;
  }
  return score;
}

function figure(name: string, value: number, atMost: number): Figure {
  return { name, measured: count(value), atMost, baselines: [] };
}
