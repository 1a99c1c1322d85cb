/** Stored submissions for the tests of stores and views. */
import { createHash } from 'node:crypto';
import type { ThreatLevel } from '../../lib/service/contract/common.ts';
import { type StoredSubmission, scheduledReport } from '../../lib/service/server/store/submissions.ts';

export interface SubmissionFacts {
  readonly uuid?: string;
  /** Null makes it a URL. */
  readonly filename?: string | null;
  /** The content of the file, from which its hashes are computed. */
  readonly text?: string;
  /** Null leaves the report unfinished. */
  readonly level?: ThreatLevel | null;
  readonly workspace?: string;
  readonly private?: boolean;
  readonly keyId?: string;
  readonly extension?: string;
  readonly findings?: readonly string[];
  readonly createdAtMs?: number;
}

/** A submission with a static report, which is unfinished unless a level is given. */
export function storedSubmission(facts: SubmissionFacts): StoredSubmission {
  const { filename = 'invoice.doc', text = 'text', level = null, extension } = facts;
  const digest = (algorithm: string) => createHash(algorithm).update(text).digest('hex');
  const hashes = { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') };
  const findings = (facts.findings ?? []).map((id) => ({
    id,
    name: id,
    description: 'a finding',
    level: 'suspicious' as const,
    score: 40,
    rule: null,
  }));
  const report = { ...scheduledReport('static'), findings };
  const createdAtMs = facts.createdAtMs ?? Date.UTC(2026, 0, 5);
  return {
    uuid: facts.uuid ?? 'a',
    kind: 'static',
    subject:
      filename === null
        ? { type: 'url', url: 'https://example.test/' }
        : {
            type: 'file',
            untrustedName: filename,
            size: text.length,
            hashes,
            detectedType: extension ? { type: `application/${extension}`, extension, description: extension } : null,
            entrypoint: null,
            showsDetectedType: true,
          },
    private: facts.private ?? false,
    workspace: facts.workspace ?? 'local',
    keyId: facts.keyId ?? 'key',
    reports: [level === null ? report : { ...report, status: 'completed', level, score: 40 }],
    sanitizedFile: null,
    cdr: null,
    attempts: 0,
    createdAtMs,
    updatedAtMs: createdAtMs,
  };
}
