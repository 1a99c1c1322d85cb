/** A module of the static engine reads one family of types and reports the dangers of a file. */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import type { EngineLimits, Finding, ProducedFile } from '../../engine.ts';

export interface StaticFile {
  readonly bytes: Uint8Array;
  readonly type: DetectedType;
  readonly untrustedName: string;
  readonly limits: EngineLimits;
  /** The password that the submitter gave for the file. @default null */
  readonly password?: string | null;
}

/** Content that was packed inside the file, unpacked for the rules: VBA source, an inflated stream, an archive member. */
export interface View {
  /** The place of the content in the file. Untrusted. */
  readonly where: string;
  readonly bytes: Uint8Array;
  /** True for the content of a file inside of the file. Findings there are not combined with those of the outer file. */
  readonly isOfInnerFile?: boolean;
  /**
   * Findings of rules that are facts here, because a module has read everything that the rule may mean. A rule only sees that there is something.
   * @default none
   */
  readonly explained?: readonly string[] | undefined;
}

/** The type of macro source out of a document. No file has this type. */
export const VBA_SOURCE = 'text/x-vba';

/** Content that the rules and the module of its own type analyse in turn. */
export interface Piece extends View {
  readonly kind: ProducedFile['kind'];
  readonly untrustedName: string;
  /** The type that the file around it gives to bytes without one, such as `text/vbscript` for scripts. Bytes that say more count first. */
  readonly type?: string;
  /**
   * `code` is a layer of the file itself. The file does everything that the layer does, so their findings are combined. `file` is another
   * file with findings of its own: two harmless halves in two members of an archive do not make one attack.
   */
  readonly scope: 'code' | 'file';
}

export interface ModuleResult {
  readonly findings: readonly Finding[];
  readonly views: readonly View[];
  /** True when everything in the file was read and understood, so that no finding means benign. */
  readonly understood: boolean;
  readonly pieces?: readonly Piece[];
  readonly explained?: View['explained'];
}

export interface StaticModule {
  readonly name: string;
  accepts(type: string): boolean;
  /**
   * Reads the file. Throws EngineError: `encrypted` when a password is needed, `unreadable` for damaged bytes, `oversize` for a bomb. Any
   * other exception counts as `unreadable`.
   */
  run(file: StaticFile): ModuleResult | Promise<ModuleResult>;
}
