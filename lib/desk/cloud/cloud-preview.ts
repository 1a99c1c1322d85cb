/** Shows of a mail what the desk of a deployment must not read itself: it asks `preview`, and makes inert what comes back. */
import type { Drawn } from '../../formats/drawn/draw-request.ts';
import type { PreviewAnswer, PreviewRequest } from '../../pipeline/review/preview-request.ts';
import type { DrawingParts } from '../desk-parts.tsx';

export interface CloudPreviewParts {
  readonly preview: (request: PreviewRequest) => Promise<PreviewAnswer>;
  /** Told of what went wrong here, and not for the person. */
  readonly onFailure: (error: unknown) => void;
}

const NO_BYTES = new Uint8Array(0);

/** The parts that show mail. A header that cannot be had leaves the rest of its page. */
export function cloudPreview({ preview, onFailure }: CloudPreviewParts): Pick<DrawingParts, 'drawn' | 'headerOf'> {
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
    async drawn({ stored: { runId }, path, name }, _, page): Promise<Drawn | null> {
      const answer = await preview({ what: 'drawn', runId, path, side: name, page });
      if (answer.state !== 'drawn') return null;
      const { outcome, picture, untrustedText } = answer;
      const pictures = Array.from({ length: answer.pictures }, (_, at) =>
        picture !== null && at + 1 === page ? Buffer.from(picture, 'base64') : NO_BYTES,
      );
      return { outcome, pictures, untrustedText };
    },
  };
}
