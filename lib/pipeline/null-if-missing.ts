/** Asks for something that may not be there with one request instead of two. */
import { NotFoundError } from './errors.ts';

/** The answer; null when it fails with NotFoundError. Throws whatever else it fails with. */
export async function nullIfMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
