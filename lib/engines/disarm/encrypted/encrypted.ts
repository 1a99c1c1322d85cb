/**
 * Office documents behind a password. The package is opened, disarmed by its own type, and delivered without encryption: the
 * recipient has the password, and an encrypted result could not be inspected again.
 */
import { detectType } from '../../../formats/detection/detect.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EncryptionError } from '../../../formats/office/encryption/encryption-error.ts';
import { openPackage, passwordsOf } from '../../../formats/office/encryption/open.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import { readCompoundFile } from '../compound/read.ts';
import { streamOf } from '../compound/streams.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';

const PACKAGE = /^application\/vnd\.(?:openxmlformats-officedocument|ms-.+\.macroenabled)/;

/** Throws EngineError `encrypted` (no password, or a wrong one), `unsupported`, `unreadable`, `oversize`. */
export async function disarm(
  input: FileInput,
  _type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const streams = readCompoundFile(input.bytes, limits);
  const bytes = opened(streamOf(streams, 'encryptioninfo'), streamOf(streams, 'encryptedpackage'), input);
  const type = await detectType(bytes, input.untrustedName);
  // Office puts nothing else inside.
  if (!PACKAGE.test(type.type))
    throw new EngineError('unreadable', 'there is no Office document behind the encryption');
  const inner = await nested.disarm({ ...input, bytes, password: null });
  if (inner.outcome === 'refused') throw new EngineError(inner.failure.code, inner.failure.message);
  const encryption = { kind: 'encryption', action: 'removed', where: 'document' } as const;
  return { outcome: 'disarmed', bytes: inner.bytes, type: inner.type, details: [encryption, ...inner.details] };
}

function opened(info: Buffer, encrypted: Buffer, input: FileInput): Buffer {
  try {
    const bytes = openPackage(info, encrypted, passwordsOf(input));
    if (bytes !== null) return bytes;
  } catch (error) {
    throw error instanceof EncryptionError ? new EngineError(error.code, error.message) : error;
  }
  throw new EngineError('encrypted', 'the document is encrypted; it can be disarmed only with its password');
}
