/**
 * The end of a run as a Detection Finding of the Open Cybersecurity Schema Framework (OCSF 1.3.0, class 2004), for programs that read that.
 */

import { safeText } from '../safe-text.ts';
import type { RunEvent } from './run-event.ts';

const CATEGORY_FINDINGS = 2;
const CLASS_DETECTION_FINDING = 2004;
const ACTIVITY_CREATE = 1;
const OCSF_VERSION = '1.3.0';
const STATUS_NEW = 1;
const STATUS_RESOLVED = 4;
const REGULAR_FILE = 1;
const SHA_256 = 3;
/** A key of S3 has at most 1,024 bytes, and a bucket 63. */
const MAX_NAME_LENGTH = 1_200;

/** `severity_id`: 1 is for information only, 5 is critical. */
const SEVERITY = { benign: 1, unknown: 2, suspicious: 3, malicious: 4 } as const satisfies Readonly<
  Record<RunEvent['verdict'], number>
>;

/** `action_id` and `disposition_id` of the profile `security_control`. */
const DONE = {
  clean: { action_id: 1, action: 'Allowed', disposition_id: 1, disposition: 'Allowed' },
  delivered: { action_id: 1, action: 'Allowed', disposition_id: 11, disposition: 'Corrected' },
  quarantined: { action_id: 2, action: 'Denied', disposition_id: 3, disposition: 'Quarantined' },
  unreadable: { action_id: 2, action: 'Denied', disposition_id: 3, disposition: 'Quarantined' },
  failed: { action_id: 2, action: 'Denied', disposition_id: 3, disposition: 'Quarantined' },
} as const satisfies Readonly<Record<RunEvent['state'], object>>;

/** Returns the finding of an event. Texts of a mail are only under `unmapped`, with names that call them untrusted. */
export function ocsfFinding(event: RunEvent): object {
  const { intake, state, verdict, reasons } = event;
  const source = safeText(`s3://${intake.bucket}/${intake.untrustedKey}`, MAX_NAME_LENGTH);
  const isOver = event.bucket === 'clean';
  return {
    category_uid: CATEGORY_FINDINGS,
    category_name: 'Findings',
    class_uid: CLASS_DETECTION_FINDING,
    class_name: 'Detection Finding',
    activity_id: ACTIVITY_CREATE,
    activity_name: 'Create',
    type_uid: CLASS_DETECTION_FINDING * 100 + ACTIVITY_CREATE,
    type_name: 'Detection Finding: Create',
    time: Date.parse(event.endedAt),
    start_time: Date.parse(event.bornAt),
    end_time: Date.parse(event.endedAt),
    duration: Math.round(event.durationMs),
    severity_id: SEVERITY[verdict],
    status_id: isOver ? STATUS_RESOLVED : STATUS_NEW,
    status: isOver ? 'Resolved' : 'New',
    ...DONE[state],
    message: `an object was ${state}; the worst that was found in it is ${verdict}`,
    metadata: {
      version: OCSF_VERSION,
      profiles: ['security_control'],
      product: { name: 'Mail Airlock', vendor_name: 'Mail Airlock' },
      log_name: event.schema,
      correlation_uid: event.runId,
    },
    finding_info: {
      uid: `${event.runId}-${event.attempt}`,
      title: `Mail Airlock: ${state}, ${verdict}`,
      created_time: Date.parse(event.endedAt),
      types: reasons,
    },
    resources: [{ type: 'AWS::S3::Object', uid: source, ...(intake.versionId && { version: intake.versionId }) }],
    evidences: [
      {
        file: {
          name: source.split('/').pop() || 'object',
          path: source,
          type_id: REGULAR_FILE,
          ...(intake.size !== null && { size: intake.size }),
          ...(intake.sha256 !== null && {
            hashes: [{ algorithm_id: SHA_256, algorithm: 'SHA-256', value: intake.sha256 }],
          }),
        },
      },
    ],
    unmapped: {
      reference: event.reference,
      state,
      verdict,
      dispositions: event.dispositions,
      links_off: event.linksOff,
      bucket: event.bucket,
      cost_usd: event.costUsd,
      ...(event.message && { message: event.message }),
    },
  };
}
