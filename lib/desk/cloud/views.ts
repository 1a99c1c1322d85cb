/** Saved views of a deployment: the desk reads them, and `review` changes them for people who may. */
import { mayBlock } from '../../pipeline/review/decision.ts';
import { type ReviewAnswer, type Reviewer, refused, type ViewRequest } from '../../pipeline/review/request.ts';
import { type Views, viewOf } from '../saved-view.ts';
import { type CloudAsk, RefusedError } from './decisions.ts';

/** Returns the port of the pages: it passes changes on. */
export function cloudViews(kept: Pick<Views, 'list'>, ask: CloudAsk): Views {
  return {
    list: () => kept.list(),
    async change({ action, view: { name, values } }) {
      const answer = await ask({ action: action === 'save' ? 'save_view' : 'remove_view', name, values });
      if (answer.state === 'done') return 'done';
      if (answer.state !== 'refused') throw new TypeError(`${answer.state} is no answer to a view`);
      if (answer.code === 'views_full') return 'full';
      if (answer.code === 'views_unreadable') return 'unreadable';
      throw new RefusedError(answer.message);
    },
  };
}

/** Checks a request and carries it out, on the side of `review`. Throws TransientError. */
export async function changeViews(
  views: Views,
  { role }: Pick<Reviewer, 'role'>,
  { action, name, values }: ViewRequest,
): Promise<ReviewAnswer> {
  if (!mayBlock(role)) return refused('no_role', `the role ${role ?? 'none'} may not do this`);
  const view = viewOf(name, (filter) => values[filter]);
  if (view === null)
    return refused('not_decided', 'this is no name of a view, or one of its filters cannot be searched for');
  const became = await views.change({ action: action === 'save_view' ? 'save' : 'remove', view });
  if (became === 'full') return refused('views_full', 'there are as many views as there may be');
  if (became === 'unreadable') return refused('views_unreadable', 'the saved views cannot be read');
  return { state: 'done' };
}
