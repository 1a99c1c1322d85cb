/** Shows the content of a mail that the desk of a deployment must not read itself: it asks `preview`, and makes the answer inert. */
import { UNDRAWABLE } from '../../formats/drawn/draw-request.ts';
import type { PreviewAnswer, PreviewRequest } from '../../pipeline/review/preview-request.ts';
import type { DrawingParts } from '../desk-parts.tsx';
import type { Side } from '../mail/part-sides.ts';

export interface CloudPreviewParts {
  readonly preview: (request: PreviewRequest) => Promise<PreviewAnswer>;
  /** Called for errors here that are not for the person. */
  readonly onFailure: (error: unknown) => void;
}

const NO_BYTES = new Uint8Array(0);

/** Returns the parts that show mail. A missing header, or a missing picture in a page that is a file, leaves the rest of its page. */
export function cloudPreview({
  preview,
  onFailure,
}: CloudPreviewParts): Pick<DrawingParts, 'drawn' | 'drawnSmall' | 'headerOf'> {
  const drawnAs = async ({ stored: { runId }, path, name }: Side, page: number | null, isSmall: boolean) => {
    const answer = await preview({ what: 'drawn', runId, path, side: name, page, ...(isSmall && { isSmall }) });
    if (answer.state !== 'drawn') return null;
    const { outcome, picture, untrustedText } = answer;
    const pictures = Array.from({ length: answer.pictures }, (_, at) =>
      picture !== null && at + 1 === page ? Buffer.from(picture, 'base64') : NO_BYTES,
    );
    return { outcome, pictures, untrustedText };
  };
  return {
    async headerOf({ runId, kind }) {
      if (kind !== 'email') return null;
      try {
        const answer = await preview({ what: 'header', runId });
        return answer.state === 'header' ? answer.untrustedHeader : null;
      } catch (error) {
        onFailure(error);
        return null;
      }
    },
    drawn: (side, _, page) => drawnAs(side, page, false),
    async drawnSmall(side, _, page) {
      try {
        return await drawnAs(side, page, true);
      } catch (error) {
        onFailure(error);
        return UNDRAWABLE;
      }
    },
  };
}
