/** First file of the code reader's thread in a checkout: Node 20 cannot load TypeScript, so tsx is registered before worker.ts. */
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
