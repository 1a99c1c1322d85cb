/** Ports on the command line. */
import { UsageError } from '../console.ts';

/** Reads the port of an option. Throws UsageError. */
export function portIn(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port takes a number from 0 (any free port) to 65535, not ${JSON.stringify(text)}.`);
}

/** Returns the listener on the port. Throws UsageError when it is taken or not allowed. */
export async function explainPort<T>(port: number, listening: Promise<T>): Promise<T> {
  return await listening.catch((error: NodeJS.ErrnoException) => {
    throw portFault(port, error);
  });
}

/** Turns a failure to listen into words for people. Returns any other error unchanged. */
export function portFault(port: number, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE') return new UsageError(`Port ${port} is taken. Name another with --port.`);
  if (error.code === 'EACCES') return new UsageError(`This user may not open port ${port}. Name one above 1023.`);
  return error;
}
