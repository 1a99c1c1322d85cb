/** Encrypted PDF files that open without a password: their strings and streams are decrypted, so that they can be read. */
import { EngineError } from '../engine.ts';

/**
 * The document without its encryption, or null when it opens but cannot be written back. Throws EngineError('encrypted') when
 * the empty user password does not open it.
 */
export async function decryptPdf(bytes: Uint8Array): Promise<Uint8Array | null> {
  const { PDF } = await import('@libpdf/core');
  const document = await PDF.load(bytes).catch(() => null);
  if (document === null) throw new EngineError('encrypted', 'the document needs a password');
  if (document.isEncrypted && !document.isAuthenticated)
    throw new EngineError('encrypted', 'the document needs a password');
  try {
    document.removeProtection();
    return await document.save();
  } catch {
    return null;
  }
}
