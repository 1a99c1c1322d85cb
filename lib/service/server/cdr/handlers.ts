/** The handlers of the CDR service. They use the same jobs and store as v3, and the words of the CDR interface. */
import type { CDR_ROUTES } from '../../contract/cdr.ts';
import { accept, fileSubject } from '../jobs/accept.ts';
import type { JobContext } from '../jobs/jobs.ts';
import type { Handlers } from '../routing.ts';
import { ServiceError } from '../service-error.ts';
import { isVisibleTo } from '../store/submission-facts.ts';
import type { StoredSubmission } from '../store/submissions.ts';
import { cdrView, sanitizedCdrName } from './view.ts';

/** The largest sanitized file in a record, because a record is completely in memory. A larger file can only be downloaded. */
const MAX_FILE_DATA_BYTES = 32 * 1024 * 1024;

/** Returns the handlers of the CDR table. */
export function cdrHandlers(ctx: JobContext): Handlers<typeof CDR_ROUTES> {
  return {
    async start({ query, multipart }, call) {
      const { file } = multipart;
      const { uuid } = await accept(ctx, call, {
        kind: 'cdr',
        subject: fileSubject(file),
        private: true,
        cdr: {
          untrustedWebhook: query.webhook ?? multipart.webhook ?? null,
          webhookOutcome: null,
          extension: query.extension ?? multipart.extension ?? null,
          // Any value requests the file, even an empty one, because people write `?filedata`.
          includeFile: (query.filedata ?? multipart.filedata) !== undefined,
        },
      });
      return { resultId: uuid, message: 'Submission received; use GET /listen/:resultId to follow it' };
    },
    async listen({ params }, { caller }) {
      const submission = await ctx.store.get(params.resultId.toLowerCase());
      const isTheirs = submission?.cdr && isVisibleTo(submission, caller.workspace);
      const record = isTheirs ? cdrView(submission, await fileDataOf(ctx, submission)) : null;
      if (!record) throw new ServiceError('SUBMISSION_NOT_FOUND', { message: 'There is no submission with this id' });
      return record;
    },
    async download({ params }, { caller }) {
      const submission = await ctx.store.getByFile(params.fileId.toLowerCase());
      const isTheirs = submission?.cdr && isVisibleTo(submission, caller.workspace);
      const file = isTheirs ? submission.sanitizedFile : null;
      if (!isTheirs || !file) throw new ServiceError('FILE_NOT_FOUND');
      const content = await ctx.blobs.open(file.sha256);
      if (!content) throw new ServiceError('STORAGE_UNAVAILABLE');
      return { content, filename: sanitizedCdrName(submission) };
    },
  };
}

async function fileDataOf({ blobs }: JobContext, { cdr, sanitizedFile }: StoredSubmission): Promise<string | null> {
  if (!cdr?.includeFile || !sanitizedFile || sanitizedFile.size > MAX_FILE_DATA_BYTES) return null;
  const bytes = await blobs.read(sanitizedFile.sha256);
  return bytes && Buffer.from(bytes).toString('base64');
}
