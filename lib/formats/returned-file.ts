/** The request to check a file that a disarm service returned, and its answer. */

export interface LookRequest {
  /** The file that was sent to the service. */
  readonly bytes: Uint8Array;
  /** The file that was returned as its disarmed form. */
  readonly returned: Uint8Array;
  /** The extension under which it was sent, from the closed list; empty when there is none. */
  readonly extension: string;
  /** Whether the report says that something was removed or rewritten. */
  readonly hasRemovals: boolean;
  /** Whether a file that does not pass may be written anew. A file that is delivered unchanged may not. */
  readonly mayRewrite: boolean;
  /** The processor time that it may take, in milliseconds. */
  readonly workMs: number;
}

/** `not started`: the code of the check cannot be loaded, so nothing is known about any file. */
export type Looked =
  | { readonly outcome: 'out of time' | 'not started' }
  /** `rewritten` passed instead of the returned file, which did not. Without it the returned file passed. */
  | { readonly outcome: 'passed'; readonly rewritten?: Uint8Array }
  /** `fault` is a stable id in kebab case; `untrustedWhere` can quote the file. */
  | { readonly outcome: 'refused'; readonly fault: string; readonly untrustedWhere: string };
