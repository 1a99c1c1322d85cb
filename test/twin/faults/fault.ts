/** A fault: what goes wrong while mails are under way. How each mail must end stands in the mail. */
import type { Analyst } from '../../../lib/infra/engines/analysis-choice.ts';
import type { Twin } from '../run/twin.ts';

export interface Fault {
  /** As on the command line. */
  readonly name: string;
  /** One sentence for people. */
  readonly says: string;
  /** Sends the mails and lets things go wrong. The run then waits until nothing is left to do. */
  run(twin: Twin, mails: number): Promise<void>;
  /** Who analyses in the stack. @default the engines inside */
  readonly analyst?: Analyst;
  /** Messages that wait for a person at the end. @default none */
  readonly unfiled?: number;
}

/** Faults by a family of names share a file. */
export type FaultGroup = readonly Fault[];
