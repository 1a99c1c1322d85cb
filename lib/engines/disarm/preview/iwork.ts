/**
 * Disarm of Pages, Numbers and Keynote documents. Their own format is known to Apple's programs alone. Each contains a preview, as a PDF or
 * as a picture of its first page. The preview is disarmed by its own type, and replaces the document.
 */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { openContainer } from '../office/package/container.ts';

/** The places of the preview in the programs of all years, the best first. */
const PREVIEWS = ['quicklook/preview.pdf', 'preview.pdf', 'preview.jpg', 'quicklook/preview.jpg', 'preview-web.jpg'];
const SHOWN = /^(?:application\/pdf|image\/(?:jpeg|png))$/;

/**
 * Returns the disarmed preview. Throws EngineError `unsupported` without one, `unreadable`, `oversize`, and the errors of its own disarm.
 */
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
