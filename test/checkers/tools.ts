/** Programs of others that look at our results: found on the PATH, run without a shell, and killed when they take too long. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** The Debian packages that hold each program. */
export const PACKAGES: Readonly<Record<string, string>> = {
  soffice: 'libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui',
  qpdf: 'qpdf',
  pdftotext: 'poppler-utils',
  pdfinfo: 'poppler-utils',
  gs: 'ghostscript',
  mat2: 'mat2',
  chromium: 'chromium',
  mutool: 'mupdf-tools',
  'smtp-source': 'postfix',
  dovecot: 'dovecot-lmtpd',
};

/** Where on the PATH a program is; null when it cannot be run. */
export function programPath(program: string): string | null {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program));
  const found = paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  return found ?? null;
}

/** Whether a program can be run. */
export const isInstalled = (program: string): boolean => programPath(program) !== null;

/** What to install for the programs that are missing; null when all are there. */
export function missingOf(programs: readonly string[]): string | null {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return null;
  const packages = new Set(missing.map((program) => PACKAGES[program] ?? program));
  return `${missing.join(', ')} not found; on Debian: apt-get install ${[...packages].join(' ')}`;
}

export interface Ran {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly output: string;
}

/** Where a program runs. */
export interface Place {
  /** @default the folder of this process */
  readonly cwd?: string;
  /** @default the environment of this process */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs a program to its end, or to the end of its time; then it goes with everything it started. Never throws. */
export function runTool(
  program: string,
  args: readonly string[],
  timeoutMs: number,
  { cwd = process.cwd(), env = process.env }: Place = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    // A group of its own: `soffice` is a script whose real program would live on after it.
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MAX_OUTPUT_BYTES) chunks.push(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    const end = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, output: Buffer.concat(chunks).toString('utf8') });
    };
    child.on('error', () => end(null));
    child.on('close', end);
  });
}
