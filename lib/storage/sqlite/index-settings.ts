/** The environment of the function that indexes runs. It says where the index and the chains are. */
import * as z from 'zod/mini';

const Settings = z.object({
  AIRLOCK_RUNS_TABLE: z.string(),
  AIRLOCK_RUNS_KEPT_DAYS: z.coerce.number(),
  AIRLOCK_WORK_BUCKET: z.string(),
});

export interface IndexSettings {
  readonly tableName: string;
  readonly keptDays: number;
  readonly workBucket: string;
}

/** Reads the environment of the function. Throws ZodError when it belongs to another function. */
export function indexSettingsIn(variables: unknown): IndexSettings {
  const read = Settings.parse(variables);
  return {
    tableName: read.AIRLOCK_RUNS_TABLE,
    keptDays: read.AIRLOCK_RUNS_KEPT_DAYS,
    workBucket: read.AIRLOCK_WORK_BUCKET,
  };
}
