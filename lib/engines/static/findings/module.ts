/** What a module of the static engine is: it reads one family of types and says what is dangerous in a file of it. */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import type { EngineLimits, Finding, ProducedFile } from '../../engine.ts';

export interface StaticFile {
  readonly bytes: Uint8Array;
  readonly type: DetectedType;
  readonly untrustedName: string;
  readonly limits: EngineLimits;
  /** What the submitter says opens the file. @default null */
  readonly password?: string | null;
}

/** Content that was packed inside the file, unpacked for the rules: VBA source, an inflated stream, an archive member. */
export interface View {
  /** Where it stood in the file. Untrusted. */
  readonly where: string;
  readonly bytes: Uint8Array;
  /** True for what stands in a file inside the file: what is found there is not weighed together with the rest. */
  readonly isOfInnerFile?: boolean;
}

/** Type of macro source out of a document, which is no file of its own anywhere. */
export const VBA_SOURCE = 'text/x-vba';

/** Content that is looked at in turn: by the rules, and by the module of its own type. */
export interface Piece extends View {
  readonly kind: ProducedFile['kind'];
  readonly untrustedName: string;
  /** What the file says it is, where its bytes do not: `text/vbscript` for macro source. Bytes that say more outweigh it. */
  readonly type?: string;
  /**
   * `code` is a layer of the file itself: what it does, the file does, and is weighed together with the rest of it. `file` is a
   * file of its own: two harmless halves in two members of an archive do not make one attack.
   */
  readonly scope: 'code' | 'file';
}

export interface ModuleResult {
  readonly findings: readonly Finding[];
  readonly views: readonly View[];
  /** True when nothing in the file was left unread or not understood, so that no finding means benign. */
  readonly understood: boolean;
  readonly pieces?: readonly Piece[];
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
