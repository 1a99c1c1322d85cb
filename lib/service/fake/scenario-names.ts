/** The names of the possible findings of a fake service. */

export const SCENARIO_NAMES = [
  /** Benign. A disarm removes nothing. */
  'clean',
  'suspicious',
  /** Malicious. A disarm removes a macro. */
  'malicious',
  /** The service could not tell. */
  'unknown',
  /** The file has a password: its reports end in error. */
  'encrypted',
  /** An engine failed: the reports end in error. */
  'failed',
  /** The reports never end. */
  'times-out',
  /** Submissions are refused with 429. */
  'quota',
  /** Every request about it is answered with 503 once before it succeeds. */
  'flaky',
] as const;
/** The name of a scenario. */
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

/** A scenario with its details. */
export interface Scenario {
  readonly name: ScenarioName;
  /** How often the submission is asked for before its reports have ended. @default 1 */
  readonly afterPolls?: number;
  /** For `quota`: how many submissions are refused before one is accepted. @default all */
  readonly times?: number;
}

/** A file name or a URL, and what the service finds in it. `*` is for all others. */
export type Scenarios = Readonly<Record<string, ScenarioName | Scenario>>;
