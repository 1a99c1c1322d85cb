/** The request to look at a file that a disarm service returned, and its answer. */

export interface LookRequest {
  /** The file that was sent to the service. */
  readonly bytes: Uint8Array;
  /** The file that came back as its disarmed form. */
  readonly returned: Uint8Array;
  /** The extension under which it was sent, from the closed list; empty when there is none. */
  readonly extension: string;
  /** Whether the report says that something was removed or rewritten. */
  readonly hasRemovals: boolean;
  /** Whether what does not pass may be written anew. A file that is delivered as it came in may not. */
  readonly mayRewrite: boolean;
  /** Milliseconds of processor time that it may take. */
  readonly workMs: number;
}

/** `not started`: the code of the look cannot be loaded, so nothing can be said of any file. */
export type Looked =
  | { readonly outcome: 'out of time' | 'not started' }
  /** `rewritten` is what passed in the place of the returned file, which did not. Without it the returned file passed. */
  | { readonly outcome: 'passed'; readonly rewritten?: Uint8Array }
  /** `fault` is a stable id in kebab case; `untrustedWhere` can quote the file. */
  | { readonly outcome: 'refused'; readonly fault: string; readonly untrustedWhere: string };
