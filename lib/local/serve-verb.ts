/** `airlock serve`: the analysis service and the CDR service on this machine, until Ctrl-C. */
import { once } from 'node:events';
import { startEmbedded } from './analysis.ts';
import { type Console, UsageError, writeLine } from './console.ts';
import { EXIT } from './outcome.ts';

export interface ServeOptions {
  readonly port: string;
}

/** Runs the verb. Throws UsageError for a port that cannot be had. */
export async function serveVerb(console: Console, options: ServeOptions): Promise<number> {
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port takes a number from 0 (any free port) to 65535, not ${JSON.stringify(options.port)}.`);
  const { AIRLOCK_API_KEY: apiKey, AIRLOCK_CDR_TOKEN: cdrToken } = console.env;
  const service = await startEmbedded(port, { ...(apiKey && { apiKey }), ...(cdrToken && { cdrToken }) }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') throw new UsageError(`Port ${port} is taken. Name another with --port.`);
      if (error.code === 'EACCES')
        throw new UsageError(`Port ${port} may not be opened by this user. Name one above 1023.`);
      throw error;
    },
  );
  await writeLine(console.stdout, `analysis service  ${service.url}`);
  await writeLine(console.stdout, `CDR service       ${service.cdrUrl}`);
  await writeLine(
    console.stdout,
    apiKey ? 'API key           as given in AIRLOCK_API_KEY' : `API key           ${service.apiKey}`,
  );
  if (cdrToken) await writeLine(console.stdout, 'CDR token         as given in AIRLOCK_CDR_TOKEN');
  else await writeLine(console.stdout, 'CDR token         the API key');
  await writeLine(console.stdout, 'Stop with Ctrl-C.');
  if (!console.signal.aborted) await once(console.signal, 'abort');
  await service.close();
  return EXIT.delivered;
}
