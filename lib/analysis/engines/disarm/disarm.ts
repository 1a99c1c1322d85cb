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
import { miscalled, renamed, typeAsCalled } from './called.ts';
import type { CheckedDisarm, DisarmModule, DisarmStrategy, Nested } from './disarm-module.ts';
import { checkOutput, type GateContext, GateError } from './gate.ts';
import { type DisarmChecked, openNested } from './nested.ts';
import { refusalOf } from './refusals.ts';

/** Changes whenever the same input could give another output. */
export const DISARM_VERSION = '3.1.0';

/**
 * The types each module may take, and how to load it: on first use, so that a worker that only ever sees pictures never pays for
 * a PDF parser. The module itself has the last word (`accepts`).
 */
const MODULES: readonly { readonly types: RegExp; readonly load: () => Promise<DisarmModule> }[] = [
  { types: /^(?:text\/plain|application\/json)$/, load: () => import('./text/text.ts') },
  { types: /^text\/html$/, load: () => import('./html/html.ts') },
  { types: /^application\/xhtml\+xml$/, load: () => import('./html/xhtml.ts') },
  { types: /^image\/(?!svg)/, load: () => import('./image/image.ts') },
  {
    types: /^application\/vnd\.(openxmlformats-officedocument|ms-.+\.macroenabled)/,
    load: () => import('./office/office.ts'),
  },
  { types: /^application\/pdf$/, load: () => import('./pdf/pdf.ts') },
  { types: /^image\/svg\+xml$/, load: () => import('./svg/svg.ts') },
  { types: /^text\/csv$/, load: () => import('./text/csv.ts') },
  { types: /^text\/(?:calendar|vcard)$/, load: () => import('./text/calendar.ts') },
  { types: /^application\/x-spreadsheetml$/, load: () => import('./html/spreadsheet-xml.ts') },
  { types: /^text\/xml$/, load: () => import('./text/xml.ts') },
  { types: /^multipart\/related$/, load: () => import('./mail/mht.ts') },
  { types: /^message\/rfc822$/, load: () => import('./mail/eml.ts') },
  { types: /^application\/vnd\.ms-outlook$/, load: () => import('./mail/msg.ts') },
  { types: /^application\/msword$/, load: () => import('./doc/doc.ts') },
  { types: /^application\/vnd\.ms-excel$/, load: () => import('./xls/xls.ts') },
  { types: /^application\/vnd\.ms-powerpoint$/, load: () => import('./ppt/ppt.ts') },
  { types: /^application\/encrypted$/, load: () => import('./encrypted/encrypted.ts') },
  { types: /^application\/vnd\.ms-tnef$/, load: () => import('./mail/tnef.ts') },
  { types: /^application\/rtf$/, load: () => import('./rtf/rtf.ts') },
  { types: /^application\/vnd\.oasis\.opendocument\./, load: () => import('./odf/odf.ts') },
  { types: /^application\/zip$/, load: () => import('./archive/zip.ts') },
  {
    types: /^application\/(?:x-7z-compressed|vnd\.rar|x-tar|gzip|x-bzip2|x-xz)$/,
    load: () => import('./archive/archive.ts'),
  },
];

/**
 * Disarms one file. Never throws for any bytes: what cannot be disarmed is a FailedReport with its reason (`encrypted`,
 * `unsupported`, `oversize`, `unreadable`, `engine_failed`).
 */
export async function disarmFile(input: FileInput, limits: EngineLimits): Promise<DisarmReport | FailedReport> {
  try {
    const { keepMetadata } = input;
    // The option counts for the files inside, too.
    const disarmMember: DisarmChecked = (member, left, inner) =>
      disarmChecked(keepMetadata === true ? { ...member, keepMetadata } : member, left, inner);
    const checked = await disarmChecked(input, limits, openNested(disarmMember, limits));
    return { ...checked, engineVersion: DISARM_VERSION };
  } catch (error) {
    const failure =
      error instanceof EngineError
        ? { code: error.code, message: error.message }
        : { code: 'engine_failed' as const, message: 'the disarm engine failed on this file' };
    return { outcome: 'failed', failure, engineVersion: DISARM_VERSION };
  }
}

async function disarmChecked(input: FileInput, limits: EngineLimits, nested: Nested): Promise<CheckedDisarm> {
  if (input.bytes.length > limits.inputBytes) {
    throw new EngineError('oversize', `the file is larger than ${limits.inputBytes} bytes`);
  }
  const detected = await detectType(input.bytes, input.untrustedName);
  // What no module takes is refused by its type, which says more than that its name is wrong.
  if ((await moduleFor(detected)) === null) throw new EngineError('unsupported', refusalOf(detected));
  const { type, isByName, isRenamed } = typeAsCalled(detected, input);
  try {
    const result = await disarmAs(type, { input, limits, nested });
    return isRenamed ? renamed(result, input.untrustedName) : result;
  } catch (error) {
    // Its program would not have been able to read it either, or would have shown what it is.
    const isOther = error instanceof EngineError && /^(?:unreadable|unsupported|unsafe_output)$/.test(error.code);
    throw isByName && isOther ? miscalled(detected, input.untrustedName) : error;
  }
}

interface Work {
  readonly input: FileInput;
  readonly limits: EngineLimits;
  readonly nested: Nested;
}

async function disarmAs(type: DetectedType, { input, limits, nested }: Work): Promise<CheckedDisarm> {
  const module = await moduleFor(type);
  if (module === null) {
    throw new EngineError('unsupported', refusalOf(type));
  }
  let refused: unknown;
  for (const strategy of [{ name: 'rebuild', keepsText: true, disarm: module.disarm }, ...(module.strategies ?? [])]) {
    try {
      return await disarmBy(strategy, { input, type, module, strategy, limits, nested });
    } catch (error) {
      // Only what was made and then found faulty is worth another way; what cannot be read at all stays refused.
      if (refused === undefined && error instanceof EngineError && !(error instanceof GateError)) throw error;
      refused ??= error;
    }
  }
  throw refused;
}

async function disarmBy(strategy: DisarmStrategy, context: GateContext): Promise<CheckedDisarm> {
  const { input, type, limits, nested, module } = context;
  const disarmed = await strategy.disarm(input, type, limits, nested);
  // An Outlook message comes back as an email, an archive as a zip: the second look is that of what it is now.
  const quality = await checkOutput(disarmed, { ...context, module: (await moduleFor(disarmed.type)) ?? module });
  // Without the way to look again, which holds on to the input.
  const { outcome, bytes, type: outputType, details } = disarmed;
  return { outcome, bytes, type: outputType, readAs: type, details, quality };
}

async function moduleFor(type: DetectedType): Promise<DisarmModule | null> {
  const row = MODULES.find(({ types }) => types.test(type.type));
  const module = await row?.load();
  return module?.accepts(type) === true ? module : null;
}
