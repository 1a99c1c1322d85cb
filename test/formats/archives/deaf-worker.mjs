/** A thread that is kept busy for ever by what it was sent. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => {
  for (;;);
});
