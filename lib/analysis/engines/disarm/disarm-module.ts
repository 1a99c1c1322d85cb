/** The shape every disarm module has: html.ts, text.ts, image.ts, office.ts, pdf.ts. */
import type { DetectedType, DisarmReport, EngineLimits, FileInput } from '../engine.ts';

export type Disarmed = Pick<DisarmReport, 'outcome' | 'bytes' | 'type' | 'details'>;

/** One format: what it takes, and how its files are disarmed (throws EngineError to refuse). */
export interface DisarmModule {
  readonly accepts: (type: DetectedType) => boolean;
  readonly disarm: (input: FileInput, type: DetectedType, limits: EngineLimits) => Promise<Disarmed>;
}
