/** Opens Office documents behind a password ([MS-OFFCRYPTO]). */
import { createRequire } from 'node:module';
import { decryptAgile } from './agile.ts';
import { EncryptionError } from './encryption-error.ts';
import { decryptStandard } from './standard.ts';

/** Excel opens workbooks with this password without asking for one. Its user never sees that the file is encrypted. */
export const SILENT_PASSWORD = 'VelvetSweatshop';
const STANDARD = 2;
const AGILE = 4;
/** The library takes a few milliseconds a megabyte; far larger documents of these formats do not exist. */
const MAX_LEGACY_BYTES = 32 * 1024 * 1024;
/** Excel and Word allow 15 characters, the formats 255. */
const MAX_PASSWORD_LENGTH = 255;

/** Passwords to try, in order. */
export function passwordsOf({ password = null }: { readonly password?: string | null }): string[] {
  return password === null ? [SILENT_PASSWORD] : [SILENT_PASSWORD, password];
}

/**
 * Returns the package (docx, xlsx, pptx) behind the two streams of an encrypted document; null when every password is wrong. Throws
 * EncryptionError.
 */
export function openPackage(info: Buffer, encrypted: Buffer, passwords: readonly string[]): Buffer | null {
  const minor = info.length >= 4 ? info.readUInt16LE(2) : 0;
  const decrypt = minor === AGILE ? decryptAgile : minor === STANDARD ? decryptStandard : null;
  if (decrypt === null)
    throw new EncryptionError('unsupported', 'the document is encrypted in a way that cannot be opened here');
  for (const password of passwords) {
    const bytes = decrypt(info, encrypted, password);
    if (bytes !== null) return bytes;
  }
  return null;
}

/**
 * Returns a document of Word, Excel or PowerPoint 97 to 2003 without its encryption. Returns null when every password is wrong or the
 * encryption is unknown, because the advice is the same: ask for another file.
 */
export async function openLegacy(bytes: Uint8Array, passwords: readonly string[]): Promise<Uint8Array | null> {
  if (bytes.length > MAX_LEGACY_BYTES) return null;
  for (const password of passwords) {
    const opened = password.length > MAX_PASSWORD_LENGTH ? null : await decryptLegacy(bytes, password);
    if (opened !== null) return opened;
  }
  return null;
}

async function decryptLegacy(bytes: Uint8Array, password: string): Promise<Uint8Array | null> {
  const crypto = createRequire(import.meta.url)('officecrypto-tool') as typeof import('officecrypto-tool');
  try {
    const opened = await crypto.decrypt(Buffer.from(bytes), { password });
    return Buffer.compare(opened, bytes) === 0 ? null : opened;
  } catch {
    // The library throws the same plain errors for a wrong password and for an unknown method.
    return null;
  }
}
