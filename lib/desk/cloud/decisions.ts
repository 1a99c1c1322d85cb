/**
 * Decisions at the desk of a deployment: it passes the request of a person to `review`, with the token of the person, and believes the
 * answer of `review`.
 */
import type { DecisionName } from '../../pipeline/review/decision.ts';
import type { ReviewAnswer, ReviewRequest } from '../../pipeline/review/request.ts';
import type { DecidingParts, DeskDecision } from '../desk-parts.tsx';

/** The request of a person was refused. The message is for the person. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Each takes seconds, and a browser waits for all of a selection for less than half a minute. */
const AT_ONCE = 8;

/** Passes a request to `review` in the name of the person. */
export type CloudAsk = (request: ReviewRequest) => Promise<ReviewAnswer>;

/** Returns the decisions of the pages. */
export function cloudDecisions(
  ask: CloudAsk,
): Pick<DecidingParts, 'decide' | 'changeBlock' | 'noteFalseAlarm' | 'decidedAtOnce'> {
  return {
    decidedAtOnce: AT_ONCE,
    async decide(runId, { seen, who, ...what }) {
      const answer = await ask({ action: nameOf(what), runId, seen, why: who.why });
      return 'message' in answer ? answer.message : null;
    },
    async changeBlock(action, { block: { kind, value }, who }) {
      const answer = await ask({ action, kind, value, why: who.why });
      if ('message' in answer) throw new RefusedError(answer.message);
      return answer.state === 'done';
    },
    async noteFalseAlarm({ runId }, who) {
      const answer = await ask({ action: 'false_alarm', runId, why: who.why });
      if ('message' in answer) throw new RefusedError(answer.message);
    },
  };
}

const nameOf = ({ action, form }: Pick<DeskDecision, 'action' | 'form'>): DecisionName =>
  action === 'release' && form === 'original' ? 'original' : action;
