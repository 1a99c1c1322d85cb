/**
 * How findings become a level.
 *
 * | level      | when                                                                                          |
 * |------------|-----------------------------------------------------------------------------------------------|
 * | malicious  | any finding is malicious, or a combination of COMBINATIONS is complete                         |
 * | suspicious | any finding is suspicious, or the scores add up to SUSPICIOUS_SCORE                           |
 * | benign     | no finding at all, and a module that understands the type read the whole file                 |
 * | unknown    | everything else: no module, a module that could not read all of it, only facts and no findings |
 *
 * A finding of level `benign` is a fact worth showing (a program's kind, a script in a page, a member that was not looked at). It
 * never makes a file suspicious by itself, but a file with one is not called benign either.
 *
 * Content that the disarm takes out of every file weighs half (TAKEN_OUT), because it reaches nobody: the score of a document with a macro
 * and an object is lower than that of a page with a login trap, which stays. The level does not change by that.
 *
 * The same content is a fact (`asFact`) where all of it was read and nothing in it is a sign of an attack: a macro that only calculates and that
 * nothing starts by itself, an embedded sheet, a check box, a link to a workbook near by.
 *
 * The score of one finding stands with its level in the tables (findings.ts, code.ts, formats.ts, the metadata of a
 * rule). 85 and more (malicious): only an attack does this. 50 to 80 (suspicious): ordinary mail has no use for this. 40 (suspicious):
 * attacks often do this, and so do some ordinary files. 20 and less (benign): a fact. One capability alone (starting a program, running
 * by itself, an encoded layer) is at most suspicious. Several capabilities together make an attack.
 */
import type { Finding, Level } from '../engine.ts';
import { type FindingId, finding, uniqueFindings } from './findings/findings.ts';

/** From this sum of scores on, findings are suspicious together. */
export const SUSPICIOUS_SCORE = 40;
const MAX_SCORE = 100;

export interface Combination {
  readonly adds: FindingId;
  /** The findings must hold one id of each group. An id is that of a module, of a rule, or of a combination above this one. */
  readonly when: readonly (readonly string[])[];
}

/** Suspicious findings about content that the disarm removes from every file of its format. */
export const TAKEN_OUT: ReadonlySet<string> = new Set<FindingId | 'equation-editor-object'>([
  'office-macro',
  'office-xlm-macro',
  'office-external-content',
  'office-embedded-object',
  'office-activex',
  'office-dde',
  'office-active-field',
  'office-dangerous-formula',
  'office-data-connection',
  'office-action',
  'office-add-in',
  'office-alternative-content',
  'office-custom-code',
  'rtf-object',
  'rtf-active',
  'rtf-package',
  'equation-overflow',
  'equation-editor-object',
  'pdf-javascript',
  'pdf-open-action',
  'pdf-opens-program',
  'pdf-launch',
  'pdf-embedded-file',
  'pdf-rich-media',
  'pdf-xfa',
  'pdf-remote',
]);
const TAKEN_OUT_WEIGHT = 1 / 2;

const HIDES = [
  'code-obfuscated',
  'code-hidden-layer',
  'powershell-encoded-command',
  'vbscript-character-chain',
  'javascript-self-decoding',
];
const RUNS = ['code-executes', 'code-starts-command'];
const ACTS = [...RUNS, 'code-downloads', 'code-loads-memory'];
const INTERPRETED = [
  'code-downloads',
  'code-loads-memory',
  'powershell-encoded-command',
  'powershell-download-and-run',
  'system-tool-abuse',
  'powershell-hidden',
  'shortcut-hidden-arguments',
];

/** The meaning of several findings together, in the order in which they are searched. */
export const COMBINATIONS: readonly Combination[] = [
  {
    adds: 'macro-acts-by-itself',
    when: [
      ['code-auto-run', 'vba-automatic-run'],
      [...ACTS, 'vba-download'],
    ],
  },
  { adds: 'code-downloads-and-runs', when: [RUNS, ['code-downloads', 'vba-download']] },
  { adds: 'code-hides-what-it-does', when: [HIDES, ACTS] },
  { adds: 'code-runs-in-memory', when: [['code-loads-memory'], ['code-downloads', 'code-requests', ...HIDES]] },
  { adds: 'code-installs-itself', when: [['code-persists'], [...RUNS, 'code-downloads']] },
  { adds: 'shortcut-attack', when: [['shortcut-interpreter'], INTERPRETED] },
  { adds: 'pdf-attack', when: [['pdf-open-action'], ['pdf-opens-program', 'pdf-obfuscated-name']] },
  {
    adds: 'pdf-attack',
    when: [
      ['pdf-javascript'],
      ['pdf-obfuscated-name', 'code-obfuscated', 'javascript-self-decoding', 'pdf-exploit-script'],
    ],
  },
  {
    adds: 'html-delivers-program',
    when: [['html-carries-payload'], ['html-saves-file', 'html-smuggling', 'code-executes']],
  },
  { adds: 'html-login-trap', when: [['html-knows-reader'], ['html-credential-form']] },
  { adds: 'html-hidden-login', when: [['html-writes-page', ...HIDES], ['html-credential-form']] },
  {
    adds: 'svg-attack',
    when: [
      ['svg-carries-page'],
      ['html-redirects', 'html-writes-page', 'html-credential-form', 'html-carries-payload', 'code-obfuscated'],
    ],
  },
  { adds: 'archive-disguised-program', when: [['archive-executable'], ['double-extension', 'bidi-control']] },
  {
    adds: 'xlm-acts-by-itself',
    when: [
      ['xlm-dangerous-call', 'excel4-macro-formula'],
      ['xlm-auto-run', 'xlm-hidden-sheet'],
    ],
  },
  {
    adds: 'equation-attack',
    when: [['equation-overflow'], ['rtf-object', 'rtf-obfuscated-object', 'equation-editor-object']],
  },
  {
    adds: 'equation-attack',
    when: [['equation-editor-object'], ['rtf-obfuscated-object', 'rtf-self-updating-object']],
  },
];

/** Returns the findings, each once, and behind them the findings of their combinations. */
export function combine(findings: readonly Finding[]): Finding[] {
  const all = uniqueFindings(findings);
  const ids = new Set(all.map(({ id }) => id));
  for (const { adds, when } of COMBINATIONS) {
    const isComplete = when.every((group) => group.some((id) => ids.has(id)));
    if (!isComplete || ids.has(adds)) continue;
    ids.add(adds);
    const because = when.flatMap((group) => group.filter((id) => ids.has(id)));
    all.push(finding(adds, null, [...new Set(because)].join(', ')));
  }
  return all;
}

/** Returns the level and the score (0 to 100) of all findings of a file. */
export function scoreFindings(findings: readonly Finding[], understood: boolean): { level: Level; score: number } {
  const score = Math.min(
    MAX_SCORE,
    findings.reduce((sum, { id, score }) => sum + (TAKEN_OUT.has(id) ? score * TAKEN_OUT_WEIGHT : score), 0),
  );
  return { level: levelOf(findings, score, understood), score };
}

function levelOf(findings: readonly Finding[], score: number, understood: boolean): Level {
  if (findings.some((one) => one.level === 'malicious')) return 'malicious';
  if (findings.some((one) => one.level === 'suspicious') || score >= SUSPICIOUS_SCORE) return 'suspicious';
  return understood && findings.length === 0 ? 'benign' : 'unknown';
}
