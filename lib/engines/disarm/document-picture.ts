/** A picture inside a document, disarmed by the engine itself: the module for its type decodes it and encodes it again. */
import type { Removal } from '../engine.ts';
import type { Nested } from './disarm-module.ts';
import { placeholderPicture } from './image/codec.ts';
import { pictureExtras } from './image/format.ts';

export interface DocumentPicture {
  readonly bytes: Uint8Array;
  /** MIME type, one that `wanted` takes. */
  readonly type: string;
  readonly extension: string;
  readonly details: readonly Pick<Removal, 'kind' | 'action'>[];
}

/**
 * Returns the picture that replaces it: its pixels, or a grey placeholder when it cannot be decoded. A JPEG that decodes and contains only
 * its picture keeps its bytes: each encoding would lose some quality, and a second pass must change nothing. Throws EngineError when the
 * budget of the whole upload is spent.
 */
export async function documentPicture(bytes: Uint8Array, nested: Nested, wanted: RegExp): Promise<DocumentPicture> {
  nested.spend(0, bytes.length);
  const result = await nested.disarm({ bytes, untrustedName: 'picture', password: null });
  if (result.outcome === 'refused' || !wanted.test(result.type.type)) {
    const details = [{ kind: 'picture that cannot be made safe', action: 'removed' }] as const;
    return { bytes: await placeholderPicture(), type: 'image/png', extension: 'png', details };
  }
  const { type, extension } = result.type;
  const isPlain =
    /^image\/(jpeg|gif)$/.test(type) && pictureExtras(bytes, type === 'image/gif' ? 'gif' : 'jpeg').length === 0;
  return { bytes: isPlain ? bytes : result.bytes, type, extension, details: isPlain ? [] : result.details };
}
