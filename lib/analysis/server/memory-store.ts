/** Submissions in memory, bounded by number and bytes. Only finished ones are forgotten; the job queue bounds the others. */
import { isTerminal, type StoredSubmission, type SubmissionStore } from './submissions.ts';

export interface MemoryStoreLimits {
  readonly storedSubmissions: number;
  readonly storedBytes: number;
}

interface StoredFile {
  readonly uuid: string;
  readonly bytes: Uint8Array;
}

/** A store that lives as long as the process. */
export function createMemoryStore(limits: MemoryStoreLimits): SubmissionStore {
  return new MemoryStore(limits);
}

class MemoryStore implements SubmissionStore {
  readonly #limits: MemoryStoreLimits;
  // A Map keeps insertion order, so its first entries are the oldest.
  readonly #submissions = new Map<string, StoredSubmission>();
  readonly #files = new Map<string, StoredFile>();
  #storedBytes = 0;

  constructor(limits: MemoryStoreLimits) {
    this.#limits = limits;
  }

  async add(submission: StoredSubmission): Promise<void> {
    this.#submissions.set(submission.uuid, submission);
    this.#forgetUntil(() => this.#submissions.size <= this.#limits.storedSubmissions, submission.uuid);
  }

  async get(uuid: string): Promise<StoredSubmission | null> {
    return this.#submissions.get(uuid) ?? null;
  }

  async findBySha256(sha256: string): Promise<readonly StoredSubmission[]> {
    const matches = [...this.#submissions.values()].filter(
      ({ subject }) => subject.type === 'file' && subject.hashes.sha256 === sha256,
    );
    return matches.reverse();
  }

  async update(uuid: string, change: (submission: StoredSubmission) => StoredSubmission): Promise<void> {
    const submission = this.#submissions.get(uuid);
    if (submission) this.#submissions.set(uuid, change(submission));
  }

  async putFile(uuid: string, fileId: string, bytes: Uint8Array): Promise<void> {
    const fits = () => this.#storedBytes + bytes.byteLength <= this.#limits.storedBytes;
    this.#forgetUntil(fits, uuid);
    if (!fits()) throw new RangeError('the file does not fit into the store');
    this.#files.set(fileId, { uuid, bytes });
    this.#storedBytes += bytes.byteLength;
  }

  async getFile(fileId: string) {
    const file = this.#files.get(fileId);
    const submission = file && this.#submissions.get(file.uuid);
    return file && submission ? { bytes: file.bytes, submission } : null;
  }

  #forgetUntil(fits: () => boolean, spared: string): void {
    for (const { uuid, reports } of this.#submissions.values()) {
      if (fits()) return;
      if (uuid !== spared && reports.every(isTerminal)) this.#forget(uuid);
    }
  }

  #forget(uuid: string): void {
    this.#submissions.delete(uuid);
    for (const [fileId, file] of this.#files) {
      if (file.uuid !== uuid) continue;
      this.#files.delete(fileId);
      this.#storedBytes -= file.bytes.byteLength;
    }
  }
}
