/** One row of the tables of findings. */
import type { Finding } from '../../engine.ts';

export type FindingRow = readonly [
  level: Finding['level'],
  score: number,
  name: string,
  description: string,
  /** The techniques of MITRE ATT&CK. */
  techniques?: readonly string[],
];
