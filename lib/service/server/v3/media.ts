/** The pictures of a submission, which show the page at its URL. */
import type * as z from 'zod';
import type { MediaList } from '../../contract/v3-submission.ts';
import type { HandlerContext } from '../context.ts';
import type { FileAnswer } from '../http/answers.ts';
import { ServiceError } from '../service-error.ts';
import type { StoredSubmission } from '../store/submissions.ts';
import { screenshotIdOf } from '../store/visit-record.ts';

const PNG = 'image/png';
/** A fixed name that is safe on any machine. */
const SCREENSHOT_NAME = 'screenshot.png';

/** Returns the media of one analysis of a submission, or of all. Only a visit makes a picture, because scripts run without a screen. */
export function mediaOf(
  submission: StoredSubmission,
  source: 'dynamic' | 'url_analysis' | undefined,
): z.infer<typeof MediaList> {
  const id = screenshotIdOf(submission);
  const picture = submission.visit?.screenshot;
  if (id === null || !picture || source === 'dynamic') return [];
  return [{ id, name: SCREENSHOT_NAME, contentType: PNG, size: picture.size, kind: 'screenshot' }];
}

/** Returns the picture. `mediaId` is given when a caller asks for an id. Throws ServiceError MEDIA_NOT_FOUND. */
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
