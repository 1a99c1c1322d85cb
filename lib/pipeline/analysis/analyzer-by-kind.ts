/** One Analyzer made of several: each kind of analysis has its own. */
import type { Kind } from '../model.ts';
import type { Analyzer } from '../ports.ts';

/** Makes an analyzer that asks, for each kind, the analyzer that `of` names. The pipeline cannot tell them apart. */
export function analyzerByKind(of: Readonly<Record<Kind, Analyzer>>): Analyzer {
  return {
    scope: (kind) => of[kind].scope(kind),
    submit: (request) => of[request.kind].submit(request),
    find: (request) => of[request.kind].find(request),
    progress: (kind, submissionId) => of[kind].progress(kind, submissionId),
    report: (kind, submissionId) => of[kind].report(kind, submissionId),
    quota: async (kind) => (await of[kind].quota?.(kind)) ?? null,
    disarmedFile: (submissionId, maxBytes) => of.cdr.disarmedFile(submissionId, maxBytes),
  };
}
