/** The findings of a submission in the shapes of the report routes. */
import type { IndicatorLevel } from '../../contract/common.ts';
import type { Indicator, IOC_TYPES, Summary, YaraMatch } from '../../contract/v3-reports.ts';
import { shownName } from '../filename.ts';
import { partId } from '../store/dynamic-record.ts';
import { findingsOf, levelOf, scoreOf } from '../store/submission-facts.ts';
import type { StoredArtifact, StoredSubmission } from '../store/submissions.ts';
import { categoryOf, techniquesOf } from './techniques.ts';

const RANK: Readonly<Record<IndicatorLevel, number>> = { malicious: 0, suspicious: 1, benign: 2 };

/** Returns the indicators, the worst first. */
export function indicatorsOf(submission: StoredSubmission): (Indicator & { category: string[] })[] {
  return findingsOf(submission)
    .map(({ id, name, description, level, score, techniques, seenIn }) => ({
      id,
      name,
      description,
      category: [categoryOf(id, submission.subject.type)],
      level,
      score,
      pids: [...(seenIn?.pids ?? [])],
      attackCodes: [...new Set([...techniquesOf(id), ...(techniques ?? [])])].sort(),
      eventIds: [...(seenIn?.eventIds ?? [])],
      syscallLineNumbers: [],
      author: 'system',
    }))
    .sort((a, b) => RANK[a.level] - RANK[b.level] || b.score - a.score);
}

/** Returns the number of indicators of each level. */
export function levelCounts(indicators: readonly { readonly level: IndicatorLevel }[]) {
  const levels = { malicious: 0, suspicious: 0, benign: 0 };
  for (const { level } of indicators) levels[level] += 1;
  return levels;
}

/** Returns the techniques that the indicators point to, sorted and each once. */
export const mitreTechniquesOf = (submission: StoredSubmission): string[] =>
  [
    ...new Set(findingsOf(submission).flatMap(({ id, techniques }) => [...techniquesOf(id), ...(techniques ?? [])])),
  ].sort();

/** A value to look for elsewhere. */
export interface FoundIoc {
  type: (typeof IOC_TYPES)[number];
  value: string;
  artifacts: string[];
}

/**
 * Returns the values to search elsewhere: hashes of a file that is suspicious or worse, and the parts of a URL. A harmless file has none.
 */
export function iocsOf(submission: StoredSubmission): FoundIoc[] {
  const level = levelOf(submission);
  if (level !== 'suspicious' && level !== 'malicious') return [];
  const { subject } = submission;
  if (subject.type === 'file') {
    const artifacts = [sampleIdOf(submission)];
    const { sha256, sha1, md5 } = subject.hashes;
    return eachOnce([
      { type: 'sha256', value: sha256, artifacts },
      { type: 'sha1', value: sha1, artifacts },
      { type: 'md5', value: md5, artifacts },
      ...(submission.iocs ?? []).map((ioc) => ({ ...ioc, artifacts })),
      ...requestIocs(submission),
    ]);
  }
  return visitIocs(submission, subject.url);
}

/** Joins values. A value that both the static and the dynamic report found is listed once. */
function eachOnce(iocs: readonly FoundIoc[]): FoundIoc[] {
  return [...new Map(iocs.map((ioc) => [`${ioc.type} ${ioc.value}`, ioc] as const)).values()];
}

/** Returns the URL, the URLs to which it led, and their hosts, each once, and the file at the end. */
function visitIocs({ visit, artifacts = [] }: StoredSubmission, url: string): FoundIoc[] {
  const urls = [...new Set([url, ...(visit?.urls ?? [])])];
  const hosts = new Map(urls.flatMap(hostIoc).map((ioc) => [ioc.value, ioc]));
  const files = artifacts.map(({ hashes }) => ({ type: 'sha256' as const, value: hashes.sha256, artifacts: [] }));
  return [...urls.map((value) => ({ type: 'url' as const, value, artifacts: [] })), ...hosts.values(), ...files];
}

/** Returns the URLs that a script requested, and their hosts, each once. */
function requestIocs(submission: StoredSubmission): FoundIoc[] {
  const urls = submission.dynamic?.urls ?? [];
  const artifacts = [sampleIdOf(submission)];
  const hosts = new Map(urls.flatMap(hostIoc).map((ioc) => [ioc.value, { ...ioc, artifacts }]));
  return [...urls.map((value) => ({ type: 'url' as const, value, artifacts })), ...hosts.values()];
}

function hostIoc(url: string): FoundIoc[] {
  const { hostname } = new URL(url);
  if (hostname === '') return [];
  const address = hostname.replace(/^\[|\]$/g, '');
  const isAddress = hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
  return [{ type: isAddress ? 'ip' : 'domain', value: address, artifacts: [] }];
}

/** Returns the YARA rules that matched. */
export function yaraMatchesOf(submission: StoredSubmission): YaraMatch[] {
  const artifacts = submission.subject.type === 'file' ? [sampleIdOf(submission)] : [];
  return findingsOf(submission).flatMap(({ rule, level }) =>
    rule === null ? [] : [{ rule, category: level, artifacts }],
  );
}

/** Returns the id of the sample among the artifacts: 24 hexadecimal digits, which differ for each submission. */
export const sampleIdOf = (submission: StoredSubmission): string => partId(submission, 'sample');

/** Returns the files of a submission: the sample, and what its analyses produced. */
export function artifactsOf(submission: StoredSubmission) {
  const { subject } = submission;
  const produced = (submission.artifacts ?? []).map((artifact) => producedView(submission, artifact));
  if (subject.type !== 'file') return produced;
  const tags = subject.detectedType ? [subject.detectedType.extension] : [];
  const filename = shownName(subject.untrustedName);
  const { size, hashes } = subject;
  const sample = { id: sampleIdOf(submission), filename, size, source: 'upload', hashes, tags, type: 'sample' };
  return [sample, ...sanitizedArtifact(submission), ...produced];
}

/** Returns the sanitized file. Submissions of older versions did not keep all of its hashes, and do not list it. */
function sanitizedArtifact(submission: StoredSubmission) {
  const { sanitizedFile } = submission;
  if (!sanitizedFile?.hashes) return [];
  const { filename, size, hashes, extension } = sanitizedFile;
  const id = partId(submission, 'sanitized');
  return [{ id, filename, size, source: 'cdr', hashes, tags: [extension], type: 'sanitized_file' }];
}

function producedView(submission: StoredSubmission, artifact: StoredArtifact) {
  const { kind, untrustedName, size, hashes, source } = artifact;
  const id = partId(submission, `${kind} ${hashes.sha256}`);
  return { id, filename: shownName(untrustedName), size, source, hashes, tags: [], type: kind };
}

/** Returns the findings in numbers. Without a dynamic report, its counts are 0 and the network is unknown. */
export function summaryOf(submission: StoredSubmission): Summary {
  const indicators = indicatorsOf(submission);
  return {
    score: scoreOf(submission),
    family: null,
    indicators: { total: indicators.length, levels: levelCounts(indicators) },
    behaviorEventCount: submission.dynamic?.eventCount ?? 0,
    syscallCount: 0,
    iocCount: iocsOf(submission).length,
    yaraRuleCount: yaraMatchesOf(submission).length,
    configCount: 0,
    artifactCount: artifactsOf(submission).length,
    mitreTechniqueCount: mitreTechniquesOf(submission).length,
    network: networkCountsOf(submission),
  };
}

/** Returns the network in numbers; null without a dynamic report. */
export function networkCountsOf({ dynamic }: StoredSubmission): Summary['network'] {
  if (!dynamic) return null;
  return { dnsCount: dynamic.hostCount, httpCount: dynamic.requestCount, tcpCount: 0, udpCount: 0, threatCount: 0 };
}
