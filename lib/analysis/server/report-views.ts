/** What the reports of a submission found, in the shapes of the report routes. */
import { createHash } from 'node:crypto';
import type { IndicatorLevel } from '../contract/common.ts';
import type { Indicator, IOC_TYPES, Summary, YaraMatch } from '../contract/v3-reports.ts';
import { shownName } from './filename.ts';
import { findingsOf, levelOf, scoreOf } from './submission-facts.ts';
import type { StoredSubmission } from './submissions.ts';
import { categoryOf, techniquesOf } from './techniques.ts';

const RANK: Readonly<Record<IndicatorLevel, number>> = { malicious: 0, suspicious: 1, benign: 2 };

/** What matched, the worst first. */
export function indicatorsOf(submission: StoredSubmission): (Indicator & { category: string[] })[] {
  return findingsOf(submission)
    .map(({ id, name, description, level, score }) => ({
      id,
      name,
      description,
      category: [categoryOf(id, submission.subject.type)],
      level,
      score,
      pids: [],
      attackCodes: [...techniquesOf(id)],
      eventIds: [],
      syscallLineNumbers: [],
      author: 'system',
    }))
    .sort((a, b) => RANK[a.level] - RANK[b.level] || b.score - a.score);
}

/** How many indicators of each level. */
export function levelCounts(indicators: readonly { readonly level: IndicatorLevel }[]) {
  const levels = { malicious: 0, suspicious: 0, benign: 0 };
  for (const { level } of indicators) levels[level] += 1;
  return levels;
}

/** Techniques that the indicators are signs of: sorted, each once. */
export const mitreTechniquesOf = (submission: StoredSubmission): string[] =>
  [...new Set(findingsOf(submission).flatMap(({ id }) => techniquesOf(id)))].sort();

/** A value to look for elsewhere. */
export interface FoundIoc {
  type: (typeof IOC_TYPES)[number];
  value: string;
  artifacts: string[];
}

/** Hashes of a file that was judged suspicious or worse, and what a URL consists of: nobody looks for the harmless. */
export function iocsOf(submission: StoredSubmission): FoundIoc[] {
  const level = levelOf(submission);
  if (level !== 'suspicious' && level !== 'malicious') return [];
  const { subject } = submission;
  if (subject.type === 'file') {
    const artifacts = [sampleIdOf(submission)];
    const { sha256, sha1, md5 } = subject.hashes;
    return [
      { type: 'sha256', value: sha256, artifacts },
      { type: 'sha1', value: sha1, artifacts },
      { type: 'md5', value: md5, artifacts },
    ];
  }
  return [{ type: 'url', value: subject.url, artifacts: [] }, ...hostIoc(subject.url)];
}

function hostIoc(url: string): FoundIoc[] {
  const { hostname } = new URL(url);
  if (hostname === '') return [];
  const address = hostname.replace(/^\[|\]$/g, '');
  const isAddress = hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
  return [{ type: isAddress ? 'ip' : 'domain', value: address, artifacts: [] }];
}

/** The YARA rules that matched. */
export function yaraMatchesOf(submission: StoredSubmission): YaraMatch[] {
  const artifacts = submission.subject.type === 'file' ? [sampleIdOf(submission)] : [];
  return findingsOf(submission).flatMap(({ rule, level }) =>
    rule === null ? [] : [{ rule, category: level, artifacts }],
  );
}

/** Id of the sample among the artifacts: 24 hexadecimal digits, different for each submission. */
export const sampleIdOf = ({ uuid }: StoredSubmission): string =>
  createHash('sha256').update(`${uuid} sample`).digest('hex').slice(0, 24);

/** Files that the analysis knows. Nothing is run here, so that is the sample alone. */
export function artifactsOf(submission: StoredSubmission) {
  const { subject } = submission;
  if (subject.type !== 'file') return [];
  const tags = subject.detectedType ? [subject.detectedType.extension] : [];
  const filename = shownName(subject.untrustedName);
  const { size, hashes } = subject;
  return [{ id: sampleIdOf(submission), filename, size, source: 'upload', hashes, tags, type: 'sample' }];
}

/** What was found, in numbers. Nothing is run here, so what a dynamic report counts is 0 and the network is unknown. */
export function summaryOf(submission: StoredSubmission): Summary {
  const indicators = indicatorsOf(submission);
  return {
    score: scoreOf(submission),
    family: null,
    indicators: { total: indicators.length, levels: levelCounts(indicators) },
    behaviorEventCount: 0,
    syscallCount: 0,
    iocCount: iocsOf(submission).length,
    yaraRuleCount: yaraMatchesOf(submission).length,
    configCount: 0,
    artifactCount: artifactsOf(submission).length,
    mitreTechniqueCount: mitreTechniquesOf(submission).length,
    network: null,
  };
}
