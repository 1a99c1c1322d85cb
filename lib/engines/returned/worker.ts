/** The worker thread that inspects returned files, one at a time. */

import type { Looked, LookRequest } from '../../formats/returned-file.ts';
import { answerRequests } from '../../formats/threads/worker-thread.ts';
import { lookAt } from './look.ts';

/** A look that fails has not seen the file. The text of the error can quote the file, so it does not leave the thread. */
const BROKEN: Looked = { outcome: 'refused', fault: 'look-failed', untrustedWhere: 'file' };

answerRequests((request: LookRequest) => lookAt(request).catch(() => BROKEN));
