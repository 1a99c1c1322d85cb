/**
 * Office documents behind a password. The package is opened, disarmed by its own type, and delivered without encryption: the
 * recipient has the password, and an encrypted result could not be inspected again.
 */
import { detectType } from '../../../formats/detection/detect.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import { readCompoundFile } from '../compound/read.ts';
import { streamOf } from '../compound/streams.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { decryptAgile } from './agile.ts';
import { decryptStandard } from './standard.ts';

/** Excel opens workbooks with this password without asking for one, so its user never sees that the file is encrypted. */
export const SILENT_PASSWORD = 'VelvetSweatshop';
const PACKAGE = /^application\/vnd\.(?:openxmlformats-officedocument|ms-.+\.macroenabled)/;
const STANDARD = 2;
const AGILE = 4;

/** Throws EngineError `encrypted` (no password, or a wrong one), `unsupported`, `unreadable`, `oversize`. */
export async function disarm(
  input: FileInput,
  _type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const streams = readCompoundFile(input.bytes, limits);
  const bytes = openPackage(
    streamOf(streams, 'encryptioninfo'),
    streamOf(streams, 'encryptedpackage'),
    passwordsOf(input),
  );
  const type = await detectType(bytes, input.untrustedName);
  // Office puts nothing else inside.
  if (!PACKAGE.test(type.type))
    throw new EngineError('unreadable', 'there is no Office document behind the encryption');
  const inner = await nested.disarm({ ...input, bytes, password: null });
  if (inner.outcome === 'refused') throw new EngineError(inner.failure.code, inner.failure.message);
  const encryption = { kind: 'encryption', action: 'removed', where: 'document' } as const;
  return { outcome: 'disarmed', bytes: inner.bytes, type: inner.type, details: [encryption, ...inner.details] };
}

/** Passwords to try, in order. */
export function passwordsOf({ password }: FileInput): string[] {
  return password === null ? [SILENT_PASSWORD] : [SILENT_PASSWORD, password];
}

function openPackage(info: Buffer, encrypted: Buffer, passwords: readonly string[]): Buffer {
  const minor = info.length >= 4 ? info.readUInt16LE(2) : 0;
  const decrypt = minor === AGILE ? decryptAgile : minor === STANDARD ? decryptStandard : null;
  if (decrypt === null)
    throw new EngineError('unsupported', 'the document is encrypted in a way that cannot be opened here');
  for (const password of passwords) {
    const bytes = decrypt(info, encrypted, password);
    if (bytes !== null) return bytes;
  }
  throw new EngineError('encrypted', 'the document is encrypted; it can be disarmed only with its password');
}
