/** An id that public clients read to test a key. Nobody submitted it, and the answer tells nothing else. */
import { createHash } from 'node:crypto';
import { V1_CONNECTIVITY_UUID } from '../../contract/v1-words.ts';
import type { SubmissionStore } from '../store/submission-store.ts';
import type { StoredSubmission } from '../store/submissions.ts';

const emptyDigest = (algorithm: string) => createHash(algorithm).digest('hex');

/** A submission without a report: level "not measured", nothing enabled. */
const CONNECTIVITY: StoredSubmission = {
  uuid: V1_CONNECTIVITY_UUID,
  kind: 'static',
  subject: {
    type: 'file',
    untrustedName: 'connectivity-test',
    size: 0,
    hashes: { md5: emptyDigest('md5'), sha1: emptyDigest('sha1'), sha256: emptyDigest('sha256') },
    detectedType: null,
    entrypoint: null,
    showsDetectedType: true,
  },
  private: false,
  workspace: '',
  keyId: '',
  reports: [],
  sanitizedFile: null,
  cdr: null,
  attempts: 0,
  createdAtMs: 0,
  updatedAtMs: 0,
};

/** Returns the store as v1 routes see it. */
export function withConnectivityTest(store: Pick<SubmissionStore, 'get'>): Pick<SubmissionStore, 'get'> {
  return { get: async (uuid) => (uuid === V1_CONNECTIVITY_UUID ? CONNECTIVITY : await store.get(uuid)) };
}
