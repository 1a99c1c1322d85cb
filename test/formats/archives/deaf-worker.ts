/** A thread that is kept busy for ever by what it was sent. */
import { answerRequests } from '../../../lib/formats/threads/worker-thread.ts';

answerRequests(async () => {
  for (;;);
});
