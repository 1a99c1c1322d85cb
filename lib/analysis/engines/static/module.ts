/** What a module of the static engine is: it reads one family of types and says what is dangerous in a file of it. */
import type { DetectedType, EngineLimits, Finding } from '../engine.ts';

export interface StaticFile {
  readonly bytes: Uint8Array;
  readonly type: DetectedType;
  readonly untrustedName: string;
  readonly limits: EngineLimits;
}

/** Content that was packed inside the file, unpacked for the rules: VBA source, an inflated stream, an archive member. */
export interface View {
  /** Where it stood in the file. Untrusted. */
  readonly where: string;
  readonly bytes: Uint8Array;
}

export interface ModuleResult {
  readonly findings: readonly Finding[];
  readonly views: readonly View[];
  /** True when nothing in the file was left unread or not understood, so that no finding means benign. */
  readonly understood: boolean;
}

export interface StaticModule {
  readonly name: string;
  accepts(type: string): boolean;
  /**
   * Reads the file. Throws EngineError: `encrypted` when a password is needed, `unreadable` when the bytes are damaged, `oversize`
   * for a bomb. Any other exception counts as `unreadable`.
   */
  run(file: StaticFile): ModuleResult | Promise<ModuleResult>;
}
