/** A thread that takes every request, does nothing and never answers. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => undefined);
