/** Facts that follow from a stored submission. Views show them and stores index them, so both read them here. */
import type { ReportType, ThreatLevel } from '../../contract/common.ts';
import type { StoredFinding, StoredReport, StoredSubmission } from './submissions.ts';

/** The levels from harmless to worst. `unknown` is worse than `benign`, so that a benign report never hides an unknown one. */
const LEVEL_ORDER: readonly ThreatLevel[] = ['benign', 'unknown', 'suspicious', 'malicious'];

/** The most tags of one submission. Each is a row of an index. */
const MAX_TAGS = 20;

/** Returns the worst of the levels; `unknown` when there is none. */
export function worstLevel(levels: readonly ThreatLevel[]): ThreatLevel {
  const ranks = levels.map((level) => LEVEL_ORDER.indexOf(level));
  return LEVEL_ORDER[Math.max(...ranks)] ?? 'unknown';
}

export const completedReports = ({ reports }: StoredSubmission): readonly StoredReport[] =>
  reports.filter((report) => report.status === 'completed');

/** Returns the types of the completed reports. */
export const availableReports = (submission: StoredSubmission): ReportType[] =>
  completedReports(submission).map(({ type }) => type);

/** Returns the worst level of the completed reports. */
export const levelOf = (submission: StoredSubmission): ThreatLevel =>
  worstLevel(completedReports(submission).flatMap(({ level }) => level ?? []));

/** Returns the highest score of the completed reports, or null. */
export function scoreOf(submission: StoredSubmission): number | null {
  const scores = completedReports(submission).flatMap(({ score }) => score ?? []);
  return scores.length > 0 ? Math.max(...scores) : null;
}

/** Returns the findings of all reports. */
export const findingsOf = (submission: StoredSubmission): readonly StoredFinding[] =>
  submission.reports.flatMap(({ findings }) => findings);

/** Returns the tags by which a list finds the submission: the detected type of the file, and the rules that matched. */
export function tagsOf(submission: StoredSubmission): { type: string; value: string }[] {
  const { subject } = submission;
  const type = subject.type === 'file' ? subject.detectedType?.extension : undefined;
  const ids = [...new Set(findingsOf(submission).map(({ id }) => id))];
  return [
    ...(type ? [{ type: 'filetype', value: type }] : []),
    ...ids.map((value) => ({ type: 'indicator', value })),
  ].slice(0, MAX_TAGS);
}

/** Returns true when the workspace may see the submission. */
export const isVisibleTo = (submission: StoredSubmission, workspace: string): boolean =>
  !submission.private || submission.workspace === workspace;

/** Returns the SHA-256 of every blob that the submission needs. */
export function blobsOf(submission: StoredSubmission): string[] {
  const { subject, sanitizedFile } = submission;
  const sample = subject.type === 'file' ? [subject.hashes.sha256] : [];
  return [...sample, ...(sanitizedFile ? [sanitizedFile.sha256] : []), ...producedBlobsOf(submission)];
}

/**
 * Returns the SHA-256 of everything that its analyses made: files, the records of a dynamic report and of a visit, the picture of a page.
 */
export function producedBlobsOf({ dynamic, visit, artifacts = [] }: StoredSubmission): string[] {
  const records = [dynamic, visit, visit?.screenshot].flatMap((record) => record?.sha256 ?? []);
  return [...new Set([...artifacts.map(({ hashes }) => hashes.sha256), ...records])];
}

/** Returns the bytes of the submission in the blob store. Bytes that submissions share count for each of them. */
export function bytesOf({ subject, sanitizedFile, dynamic, visit, artifacts = [] }: StoredSubmission): number {
  const records = [dynamic, visit, visit?.screenshot].reduce((sum, record) => sum + (record?.size ?? 0), 0);
  const produced = artifacts.reduce((sum, { size }) => sum + size, records);
  return (subject.type === 'file' ? subject.size : 0) + (sanitizedFile?.size ?? 0) + produced;
}
