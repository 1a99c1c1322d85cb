/** First file of a worker thread in a checkout: Node 20 cannot load TypeScript, so tsx is registered before the worker is imported. */
import { workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
await import(workerData);
