/**
 * The entry point of the disarm engine. It checks size and type, and runs the one module for the type. The output must then pass a gate
 * before anyone sees it. No input is ever returned as disarmed; `already_safe` is a module's proof that nothing had to be removed.
 */
import { detectType } from '../../formats/detection/detect.ts';
import type { DetectedType } from '../../formats/detection/detected-type.ts';
import { disarmOf } from '../../formats/file-types.ts';
import { missingPackage } from '../../formats/missing-package.ts';
import type { DisarmName } from '../../formats/type-table.ts';
import { type DisarmReport, EngineError, type EngineLimits, type FailedReport, type FileInput } from '../engine.ts';
import { ENGINE_VERSIONS } from '../engine-versions.ts';
import type { CheckedDisarm, DisarmModule, DisarmStrategy, Nested } from './disarm-module.ts';
import { checkOutput, type GateContext, GateError } from './gate.ts';
import { type DisarmChecked, openNested } from './nested.ts';
import { refusalOf } from './refusals.ts';
import { miscalled, renamed, typeAsCalled } from './type-by-name.ts';

/** Each module is loaded on first use, so that a worker that only sees pictures never loads a PDF parser. */
const MODULES: Readonly<Record<DisarmName, () => Promise<DisarmModule>>> = {
  text: () => import('./text/plain-text.ts'),
  source: () => import('./text/source.ts'),
  html: () => import('./html/html.ts'),
  xhtml: () => import('./html/xhtml.ts'),
  svg: () => import('./svg/svg.ts'),
  csv: () => import('./text/csv.ts'),
  calendar: () => import('./text/calendar.ts'),
  xml: () => import('./text/xml.ts'),
  'spreadsheet-xml': () => import('./workbook/spreadsheet-xml.ts'),
  image: () => import('./image/image.ts'),
  pdf: () => import('./pdf/pdf.ts'),
  rtf: () => import('./rtf/rtf.ts'),
  office: () => import('./office/office.ts'),
  'flat-package': () => import('./office-xml/flat-package.ts'),
  'binary-workbook': () => import('./workbook/xlsb.ts'),
  'word-xml': () => import('./office-xml/word-xml.ts'),
  encrypted: () => import('./encrypted/encrypted.ts'),
  odf: () => import('./odf/odf.ts'),
  doc: () => import('./doc/doc.ts'),
  xls: () => import('./xls/xls.ts'),
  ppt: () => import('./ppt/ppt.ts'),
  eml: () => import('./mail/eml.ts'),
  mht: () => import('./mail/mht.ts'),
  msg: () => import('./mail/msg.ts'),
  tnef: () => import('./mail/tnef.ts'),
  zip: () => import('./archive/zip.ts'),
  archive: () => import('./archive/archive.ts'),
  gzip: () => import('./archive/gzip.ts'),
  kml: () => import('./map/kml.ts'),
  xps: () => import('./xps/xps.ts'),
  iwork: () => import('./preview/iwork.ts'),
  epub: () => import('./epub/epub.ts'),
  kmz: () => import('./map/kmz.ts'),
  media: () => import('./media/media.ts'),
  metafile: () => import('./image/drawing.ts'),
};

/**
 * Disarms one file. Never throws for any bytes: a file that cannot be disarmed gets a FailedReport with its reason (`encrypted`,
 * `unsupported`, `oversize`, `unreadable`, `package_missing`, `engine_failed`).
 *
 * @example
 * ```ts
 * import { DEFAULT_ENGINE_LIMITS } from './lib/engines/engine.ts';
 *
 * const input = { bytes: Buffer.from('a,=1+1'), untrustedName: 'table.csv', password: null };
 * const report = await disarmFile(input, DEFAULT_ENGINE_LIMITS);
 * report.outcome; // => 'disarmed'
 * ```
 */
export async function disarmFile(input: FileInput, limits: EngineLimits): Promise<DisarmReport | FailedReport> {
  try {
    const { keepMetadata } = input;
    // The option also applies to the files inside.
    const disarmMember: DisarmChecked = (member, left, inner) =>
      disarmChecked(keepMetadata === true ? { ...member, keepMetadata } : member, left, inner);
    const checked = await disarmChecked(input, limits, openNested(disarmMember, limits));
    return { ...checked, engineVersion: ENGINE_VERSIONS.disarm };
  } catch (error) {
    const known = error instanceof EngineError ? error : missingPackage(error);
    const failure = {
      code: known?.code ?? ('engine_failed' as const),
      message: known?.message ?? 'the disarm engine failed on this file',
    };
    return { outcome: 'failed', failure, engineVersion: ENGINE_VERSIONS.disarm };
  }
}

async function disarmChecked(input: FileInput, limits: EngineLimits, nested: Nested): Promise<CheckedDisarm> {
  if (input.bytes.length > limits.inputBytes) {
    throw new EngineError('oversize', `the file is larger than ${limits.inputBytes} bytes`);
  }
  const detected = await detectType(input.bytes, input.untrustedName);
  // A type without a module is refused by its type, because that reason says more than a wrong name.
  if (disarmOf(detected.type) === null) throw new EngineError('unsupported', refusalOf(detected));
  const { type, isByName, isRenamed } = typeAsCalled(detected, input);
  try {
    const result = await disarmAs(type, { input, limits, nested });
    return isRenamed ? renamed(result, input.untrustedName) : result;
  } catch (error) {
    // The file's program could not have read it either, or would have shown its type.
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
      // Another way is tried only when a result was made and found faulty. A file that cannot be read stays refused.
      if (refused === undefined && error instanceof EngineError && !(error instanceof GateError)) throw error;
      refused ??= error;
    }
  }
  throw refused;
}

async function disarmBy(strategy: DisarmStrategy, context: GateContext): Promise<CheckedDisarm> {
  const { input, type, limits, nested, module } = context;
  const disarmed = await strategy.disarm(input, type, limits, nested);
  // An Outlook message becomes an email, and an archive becomes a zip: the second look uses the module for the new type.
  const { quality, isPlain } = await checkOutput(disarmed, {
    ...context,
    module: (await moduleFor(disarmed.type)) ?? module,
  });
  // Without `again`, which keeps the input in memory.
  const { outcome, bytes, type: outputType, details } = disarmed;
  return { outcome, bytes, type: outputType, readAs: type, ...(isPlain && { isPlain }), details, quality };
}

async function moduleFor({ type }: DetectedType): Promise<DisarmModule | null> {
  const name = disarmOf(type);
  return name === null ? null : MODULES[name]();
}
