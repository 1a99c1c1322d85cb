/** What each route of the CDR service does: the same jobs and store as v3, in the CDR service's words. */
import type { CDR_ROUTES } from '../contract/cdr.ts';
import { cdrView, sanitizedCdrName } from './cdr-view.ts';
import type { Handlers } from './routing.ts';
import { ServiceError } from './service-error.ts';
import { accept, fileSubject, type HandlerContext } from './v3-handlers.ts';

/** The handlers of the CDR table. */
export function cdrHandlers(ctx: HandlerContext): Handlers<typeof CDR_ROUTES> {
  return {
    async start({ multipart }, slot) {
      ctx.usage.countSubmission();
      const subject = fileSubject(multipart.file.untrustedName, multipart.file.bytes, null);
      const secrets = { bytes: multipart.file.bytes, password: null };
      const { uuid } = await accept(ctx, { kind: 'cdr', subject, private: true }, secrets, slot);
      return { resultId: uuid, message: 'Submission received; use GET /listen/:resultId to follow it' };
    },
    async listen({ params }) {
      const submission = await ctx.store.get(params.resultId.toLowerCase());
      const record = submission && cdrView(submission);
      if (!record) throw new ServiceError('SUBMISSION_NOT_FOUND', { message: 'There is no submission with this id' });
      return record;
    },
    async download({ params }) {
      const file = await ctx.store.getFile(params.fileId.toLowerCase());
      if (!file) throw new ServiceError('FILE_NOT_FOUND');
      return { bytes: file.bytes, filename: sanitizedCdrName(file.submission) };
    },
  };
}
