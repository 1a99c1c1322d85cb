/** The HeldRuns port over the quarantine bucket: each run that was held has a record there. */
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import type { HeldRuns } from '../../pipeline/ports.ts';
import { awsCall } from '../aws-errors.ts';

export interface S3HeldRunsOptions {
  readonly client: S3Client;
  /** The real name of the quarantine bucket. */
  readonly bucketName: string;
}

/** A key as `keys.quarantineRecord` makes it, of any attempt. */
const RECORD = /^([0-9a-f]{32})\/record(?:-\d+)?\.json$/;

/** Lists in the order of run ids. Throws TransientError. */
export function createS3HeldRuns({ client, bucketName }: S3HeldRunsOptions): HeldRuns {
  return {
    async list(after, most) {
      const command = new ListObjectsV2Command({ Bucket: bucketName, ...(after !== null && { StartAfter: after }) });
      const { Contents = [], IsTruncated } = await awsCall('s3 list', client.send(command));
      const held = new Map<string, { runId: string; heldAt: number; Key: string }>();
      for (const { Key = '', LastModified } of Contents) {
        const runId = RECORD.exec(Key)?.[1];
        if (runId === undefined) continue;
        // The records of a run are adjacent. The newest says when the run was held.
        const heldAt = Math.max(LastModified?.getTime() ?? 0, held.get(runId)?.heldAt ?? 0);
        held.set(runId, { runId, heldAt, Key });
      }
      const found = [...held.values()];
      const page = found.slice(0, most);
      const isCut = page.length < found.length;
      const last = isCut ? page.at(-1)?.Key : Contents.at(-1)?.Key;
      const runs = page.map(({ runId, heldAt }) => ({ runId, heldAt }));
      return { runs, next: isCut || IsTruncated === true ? (last ?? null) : null };
    },
  };
}
