/** New databases for suites. `npm run check:service` starts the server, and hands a template for the URLs of databases in it. */
import { execute } from './cluster.ts';

/** The variable with the URL of a database of the server. */
export const SERVER = 'AIRLOCK_CHECK_POSTGRES';

let databases = 0;

/** The URL of a new empty database. */
export async function newDatabase(): Promise<string> {
  const server = process.env[SERVER];
  if (server === undefined) throw new Error('start this with npm run check:service');
  databases += 1;
  const name = `suite_${process.pid}_${databases}`;
  await execute(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
