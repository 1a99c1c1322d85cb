/** The last look at a disarmed file: a fault in a module must end as a refusal, not in somebody's inbox. */
import { detectType } from '../detect.ts';
import { EngineError, type EngineLimits, type FileInput } from '../engine.ts';
import type { Disarmed, DisarmModule, Nested } from './disarm-module.ts';

/** Pictures are encoded anew in every pass, and some encoders lose a little each time: equal bytes cannot be asked of them. */
const PICTURE = /^image\//;

export interface GateContext {
  readonly input: FileInput;
  /** The module for the type of the output. */
  readonly module: DisarmModule;
  readonly limits: EngineLimits;
  readonly nested: Nested;
}

/**
 * Throws EngineError when the output is too large (`oversize`), is not detected as the type it claims, is the input although
 * something was found, or still holds something that a second pass takes out (`engine_failed`).
 */
export async function checkOutput(disarmed: Disarmed, context: GateContext): Promise<void> {
  const { input, module, limits, nested } = context;
  if (disarmed.bytes.length > limits.outputBytes) {
    throw new EngineError('oversize', `the disarmed file is larger than ${limits.outputBytes} bytes`);
  }
  if (disarmed.outcome === 'already_safe') {
    if (!isSame(disarmed.bytes, input.bytes)) throw new EngineError('engine_failed', 'an unchanged file was changed');
    return;
  }
  const detected = await detectType(disarmed.bytes, `disarmed.${disarmed.type.extension}`);
  if (detected.type !== disarmed.type.type) {
    throw new EngineError('engine_failed', `the disarmed file reads as ${detected.description}`);
  }
  const output = { bytes: disarmed.bytes, untrustedName: `disarmed.${disarmed.type.extension}`, password: null };
  const again = await module.disarm(output, detected, limits, nested.secondLook());
  const isStable = PICTURE.test(detected.type)
    ? again.type.type === detected.type
    : isSame(again.bytes, disarmed.bytes);
  if (!isStable) throw new EngineError('engine_failed', 'a second pass over the disarmed file still found something');
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
