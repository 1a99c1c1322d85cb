/** Asks for an object that may be missing, with one request instead of two. */
import { NotFoundError } from './errors.ts';

/** Returns the answer; null when the request fails with NotFoundError. Throws every other error of the request. */
export async function nullIfMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
