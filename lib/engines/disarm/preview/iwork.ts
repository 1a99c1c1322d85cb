/**
 * Disarm of Pages, Numbers and Keynote documents. Their own format is known to Apple's programs alone. Each holds a preview of what it shows,
 * as a PDF or as a picture of its first page: the preview is disarmed as what it is, and comes out in place of the document.
 */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { openContainer } from '../office/package/container.ts';

/** Where the programs of all years keep it, the best first. */
const PREVIEWS = ['quicklook/preview.pdf', 'preview.pdf', 'preview.jpg', 'quicklook/preview.jpg', 'preview-web.jpg'];
const SHOWN = /^(?:application\/pdf|image\/(?:jpeg|png))$/;

/** The preview, disarmed. Throws EngineError `unsupported` without one, `unreadable`, `oversize`, and what its own disarm throws. */
export async function disarm(
  input: FileInput,
  _type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const { entries } = await openContainer(input.bytes, limits);
  const name = PREVIEWS.find((each) => entries.has(each)) ?? '';
  const bytes = await entries.get(name)?.read();
  if (bytes === undefined) throw new EngineError('unsupported', 'the document holds no preview; ask for it as PDF');
  nested.spend(0, bytes.length);
  const untrustedName = name.slice(name.lastIndexOf('/') + 1);
  const preview = await nested.disarm({ bytes, untrustedName, password: null });
  if (preview.outcome === 'refused') throw new EngineError(preview.failure.code, preview.failure.message);
  if (!SHOWN.test(preview.type.type))
    throw new EngineError('unsupported', 'the preview is neither a PDF nor a picture');
  const change = { kind: 'document of Apple', action: 'sanitized', where: name } as const;
  return { outcome: 'disarmed', bytes: preview.bytes, type: preview.type, details: [change, ...preview.details] };
}
