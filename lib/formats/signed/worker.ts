/** The worker thread that checks signatures, one at a time. A library is loaded with the first signature of its kind. */
import { answerRequests } from '../threads/worker-thread.ts';
import { type SignatureCheck, type SignatureRequest, unchecked } from './signature-check.ts';

async function check(request: SignatureRequest): Promise<SignatureCheck> {
  if (request.kind === 'pgp') return (await import('./check-pgp.ts')).checkPgp(request);
  return (await import('./check-smime.ts')).checkSmime(request);
}

// The text of the error can quote the signature, so it does not leave the thread.
answerRequests((request: SignatureRequest) => check(request).catch(() => unchecked('it is damaged')));
