/** Makes an example a program: `AIRLOCK_API_URL=… AIRLOCK_API_KEY=… npm run example -- examples/client/01-submit-a-file.ts FILE`. */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AnalysisClient } from '@mail-airlock/client';

/** Where the service is, from the environment. */
export const service = () => ({
  baseUrl: process.env.AIRLOCK_API_URL ?? 'http://127.0.0.1:8080',
  apiKey: process.env.AIRLOCK_API_KEY ?? '',
});

/** Runs an example when its file is what was started, and prints what it returns. */
export async function runExample(
  moduleUrl: string,
  example: (client: AnalysisClient, args: string[]) => Promise<unknown>,
): Promise<void> {
  const started = process.argv[1];
  if (!started || realpathSync(started) !== fileURLToPath(moduleUrl)) return;
  console.log(await example(new AnalysisClient(service()), process.argv.slice(2)));
}
