/**
 * Large packages of which some platforms have no build, and which a user may leave out (`npm install --omit=optional`). Code that needs one
 * of them loads it on first use, and says which one is missing.
 */

/** Their names, and their contents. */
const OPTIONAL_PACKAGE = /^(7z-wasm|@embedpdf\/pdfium|jxl-oxide-wasm|libheif-js|libsql|sharp)(?:\/|$)/;
/** Their builds for a platform are packages of their own. */
const BUILD = /^@(?:img\/(sharp)-|(libsql)\/)/;

/** The errors that Node raises when a package, or the program in it, cannot be loaded. */
const LOAD_ERRORS: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED'];
/** The message with which `sharp` itself reports this, without a code. */
const SHARP_LOAD_ERROR = 'Could not load the "sharp" module';

/** A package that was needed and is not installed. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
  readonly code = 'package_missing';
  constructor(readonly packageName: string) {
    const platform = `${process.platform}-${process.arch}`;
    super(
      `this needs the package ${packageName}, which is not installed, or has no build for ${platform}; run: npm install --include=optional ${packageName}`,
    );
  }
}

/** Returns the error for an optional package that could not be loaded; null when `error` says something else. */
export function missingPackage(error: unknown): MissingPackageError | null {
  if (error instanceof MissingPackageError) return error;
  const { code, message = '' } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  if (message.startsWith(SHARP_LOAD_ERROR)) return new MissingPackageError('sharp');
  if (!LOAD_ERRORS.includes(code)) return null;
  // The first name in quotes is the missing package. Paths and names of the importing modules follow.
  const notFound = /['"]([^'"]+)['"]/.exec(message)?.[1] ?? '';
  const [, name, ofBuild] = OPTIONAL_PACKAGE.exec(notFound) ?? BUILD.exec(notFound) ?? [];
  const found = name ?? ofBuild;
  return found === undefined ? null : new MissingPackageError(found);
}
