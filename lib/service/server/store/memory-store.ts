/** Submissions in memory. For a service that keeps nothing after its process ends. */
import { blobsOf, bytesOf } from './submission-facts.ts';
import { isMatch } from './submission-match.ts';
import type { SubmissionStore } from './submission-store.ts';
import { isFinished, type StoredSubmission } from './submissions.ts';

/** Returns a store in memory. `retention.ts` limits its size. */
export function createMemoryStore(): SubmissionStore {
  // A Map keeps the order of insertion, so its first entries are the oldest.
  const submissions = new Map<string, StoredSubmission>();
  const passwords = new Map<string, string>();
  /** How often submissions name each blob. Every upload asks for its blob, and searching all submissions would cost more with each. */
  const needs = new Map<string, number>();
  let bytes = 0;
  const count = (submission: StoredSubmission, change: 1 | -1) => {
    bytes += change * bytesOf(submission);
    for (const sha256 of blobsOf(submission)) {
      const left = (needs.get(sha256) ?? 0) + change;
      if (left > 0) needs.set(sha256, left);
      else needs.delete(sha256);
    }
  };
  const keep = (submission: StoredSubmission) => {
    const known = submissions.get(submission.uuid);
    if (known) count(known, -1);
    count(submission, 1);
    submissions.set(submission.uuid, submission);
    if (isFinished(submission)) passwords.delete(submission.uuid);
  };
  return {
    add: async (submission, password) => {
      if (password !== null) passwords.set(submission.uuid, password);
      keep(submission);
    },
    get: async (uuid) => submissions.get(uuid) ?? null,
    list: async (filter, { offset, limit, order = 'desc' }) => {
      const matches = [...submissions.values()].filter((submission) => isMatch(submission, filter));
      if (order === 'desc') matches.reverse();
      return { items: matches.slice(offset, offset + limit), total: matches.length };
    },
    getByFile: async (fileId) =>
      [...submissions.values()].find(({ sanitizedFile }) => sanitizedFile?.fileId === fileId) ?? null,
    update: async (uuid, change) => {
      const submission = submissions.get(uuid);
      if (!submission) return null;
      const changed = change(submission);
      keep(changed);
      return changed;
    },
    pending: async (uuid) => {
      const submission = submissions.get(uuid);
      if (!submission || isFinished(submission)) return null;
      return { submission, password: passwords.get(uuid) ?? null };
    },
    unfinished: async () => [...submissions.values()].filter((submission) => !isFinished(submission)),
    countSince: async (keyId, sinceMs) =>
      [...submissions.values()].filter((kept) => kept.keyId === keyId && kept.createdAtMs >= sinceMs).length,
    usage: async () => ({ submissions: submissions.size, bytes }),
    forgetOldest: async () => {
      for (const oldest of submissions.values()) {
        if (!isFinished(oldest)) continue;
        submissions.delete(oldest.uuid);
        count(oldest, -1);
        return blobsOf(oldest).filter((sha256) => !needs.has(sha256));
      }
      return null;
    },
    needs: async (sha256) => needs.has(sha256),
    close: async () => undefined,
  };
}
