/** Decrypts the strings and streams of encrypted PDF files that open without a password, so that they can be read. */
import { EngineError, type EngineLimits } from '../../engine.ts';

/**
 * Returns the document without its encryption, or null when it opens but cannot be written back. Throws EngineError('encrypted') when the
 * empty user password does not open it.
 */
export async function decryptPdf(bytes: Uint8Array, limits: EngineLimits): Promise<Uint8Array | null> {
  const { openPdf } = await import('../../pdf-library.ts');
  const document = await openPdf(bytes, null, limits).catch(() => null);
  if (document === null) throw new EngineError('encrypted', 'the document needs a password');
  if (document.isEncrypted && !document.isAuthenticated)
    throw new EngineError('encrypted', 'the document needs a password');
  try {
    document.removeProtection();
    return await document.save();
  } catch {
    // The reader threw on a structure that it cannot write. The caller then reads the encrypted bytes, which are not understood.
    return null;
  }
}
