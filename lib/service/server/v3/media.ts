/** Pictures of a submission: the page that a visit to its URL found. */
import type * as z from 'zod';
import type { MediaList } from '../../contract/v3-submission.ts';
import type { HandlerContext } from '../context.ts';
import type { FileAnswer } from '../http/answers.ts';
import { ServiceError } from '../service-error.ts';
import type { StoredSubmission } from '../store/submissions.ts';
import { screenshotIdOf } from '../store/visit-record.ts';

const PNG = 'image/png';
/** Made by us, safe as a name on any machine. */
const SCREENSHOT_NAME = 'screenshot.png';

/** The media of a submission, of one analysis or of all. Scripts run without a screen: only a visit makes a picture. */
export function mediaOf(
  submission: StoredSubmission,
  source: 'dynamic' | 'url_analysis' | undefined,
): z.infer<typeof MediaList> {
  const id = screenshotIdOf(submission);
  const picture = submission.visit?.screenshot;
  if (id === null || !picture || source === 'dynamic') return [];
  return [{ id, name: SCREENSHOT_NAME, contentType: PNG, size: picture.size, kind: 'screenshot' }];
}

/** The picture; `mediaId` when it was asked for by an id. Throws ServiceError MEDIA_NOT_FOUND. */
export async function screenshotAnswer(
  { blobs }: HandlerContext,
  submission: StoredSubmission,
  mediaId?: string,
): Promise<FileAnswer> {
  const picture = submission.visit?.screenshot;
  const isAsked = mediaId === undefined || mediaId === screenshotIdOf(submission);
  const content = picture && isAsked ? await blobs.open(picture.sha256) : null;
  if (content) return { content, filename: SCREENSHOT_NAME, contentType: PNG };
  const details = { submissionUuid: submission.uuid, ...(mediaId !== undefined && { mediaId }) };
  throw new ServiceError('MEDIA_NOT_FOUND', { details });
}
