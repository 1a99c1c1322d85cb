/**
 * The disarm engine's door: size, type, the one module for the type, then a gate that the output must pass before anyone gets to
 * see it. No input is ever returned as disarmed; `already_safe` is a module's proof that nothing had to go.
 */
import { detectType } from '../detect.ts';
import {
  type DetectedType,
  type DisarmReport,
  EngineError,
  type EngineLimits,
  type FailedReport,
  type FileInput,
} from '../engine.ts';
import type { Disarmed, DisarmModule, Nested } from './disarm-module.ts';
import { checkOutput } from './gate.ts';
import { openNested } from './nested.ts';
import { refusalOf } from './refusals.ts';

/** Changes whenever the same input could give another output. */
export const DISARM_VERSION = '1.1.0';

/**
 * The types each module may take, and how to load it: on first use, so that a worker that only ever sees pictures never pays for
 * a PDF parser. The module itself has the last word (`accepts`).
 */
const MODULES: readonly { readonly types: RegExp; readonly load: () => Promise<DisarmModule> }[] = [
  { types: /^(?:text\/plain|application\/json)$/, load: () => import('./text.ts') },
  { types: /^text\/html$/, load: () => import('./html.ts') },
  { types: /^image\/(?!svg)/, load: () => import('./image.ts') },
  {
    types: /^application\/vnd\.(openxmlformats-officedocument|ms-.+\.macroenabled)/,
    load: () => import('./office.ts'),
  },
  { types: /^application\/pdf$/, load: () => import('./pdf.ts') },
  { types: /^image\/svg\+xml$/, load: () => import('./svg.ts') },
  { types: /^text\/csv$/, load: () => import('./csv.ts') },
  { types: /^text\/(?:calendar|vcard)$/, load: () => import('./calendar.ts') },
  { types: /^text\/xml$/, load: () => import('./xml.ts') },
  { types: /^multipart\/related$/, load: () => import('./mht.ts') },
  { types: /^message\/rfc822$/, load: () => import('./eml.ts') },
  { types: /^application\/vnd\.ms-outlook$/, load: () => import('./msg.ts') },
  { types: /^application\/vnd\.ms-tnef$/, load: () => import('./tnef.ts') },
  { types: /^application\/zip$/, load: () => import('./zip.ts') },
  {
    types: /^application\/(?:x-7z-compressed|vnd\.rar|x-tar|gzip|x-bzip2|x-xz)$/,
    load: () => import('./archive.ts'),
  },
];

/**
 * Disarms one file. Never throws for any bytes: what cannot be disarmed is a FailedReport with its reason (`encrypted`,
 * `unsupported`, `oversize`, `unreadable`, `engine_failed`).
 */
export async function disarmFile(input: FileInput, limits: EngineLimits): Promise<DisarmReport | FailedReport> {
  try {
    const { outcome, bytes, type, details } = await disarmChecked(input, limits, openNested(disarmChecked, limits));
    return { outcome, bytes, type, details, engineVersion: DISARM_VERSION };
  } catch (error) {
    const failure =
      error instanceof EngineError
        ? { code: error.code, message: error.message }
        : { code: 'engine_failed' as const, message: 'the disarm engine failed on this file' };
    return { outcome: 'failed', failure, engineVersion: DISARM_VERSION };
  }
}

async function disarmChecked(input: FileInput, limits: EngineLimits, nested: Nested): Promise<Disarmed> {
  if (input.bytes.length > limits.inputBytes) {
    throw new EngineError('oversize', `the file is larger than ${limits.inputBytes} bytes`);
  }
  const type = await detectType(input.bytes, input.untrustedName);
  if (type.type === 'application/encrypted') {
    throw new EngineError('encrypted', 'the document is encrypted; it can be disarmed only with its password');
  }
  const module = await moduleFor(type);
  if (module === null) {
    throw new EngineError('unsupported', refusalOf(type));
  }
  const disarmed = await module.disarm(input, type, limits, nested);
  // An Outlook message comes back as an email, an archive as a zip: the second look is that of what it is now.
  await checkOutput(disarmed, { input, module: (await moduleFor(disarmed.type)) ?? module, limits, nested });
  return disarmed;
}

async function moduleFor(type: DetectedType): Promise<DisarmModule | null> {
  const row = MODULES.find(({ types }) => types.test(type.type));
  const module = await row?.load();
  return module?.accepts(type) === true ? module : null;
}
