/** Limits the time for which passwords are tried on an archive. */
import { threadTimeMs } from '../threads/thread-time.ts';
import type { UnpackRequest } from './unpacking.ts';

/** The share of an archive's time for trying passwords. The rest is needed to unpack. */
const TRYING_SHARE = 0.5;

/** Returns the passwords to try, one by one, while there is time for another. */
export function* passwordsWithin({ passwords, allowance }: UnpackRequest): Generator<string> {
  const endsAt = threadTimeMs() + allowance.workMs * TRYING_SHARE;
  for (const password of passwords.slice(0, allowance.passwordTries)) {
    if (threadTimeMs() > endsAt) return;
    yield password;
  }
}
