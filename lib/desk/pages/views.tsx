/** @jsxRuntime automatic @jsxImportSource #markup */
/** Saved views on the page of the list: their links, the form to save the present list, and one to remove each. */
import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { attribute, ownAddress, toPage } from '../../service/server/markup/values.ts';
import { type Ask, addressOf, FILTERS, isClear } from '../ask.ts';
import type { PageContext } from '../layout.tsx';
import { secretField } from '../page-elements.tsx';
import { addressOfView, type SavedView, VIEW_LIMITS } from '../saved-view.ts';

/** Returns the links of the views, or a note when they cannot be read. */
export function viewLinks({ words }: PageContext, ask: Ask, views: readonly SavedView[] | null): Markup {
  if (views === null)
    return (
      <p class="failure" role="status">
        {words.viewsUnreadable}
      </p>
    );
  if (views.length === 0) return NOTHING;
  const here = addressOf(ask, {});
  const items = views.map((view) => {
    const address = addressOfView(view);
    return (
      <li>
        <a href={ownAddress(address)} aria-current={address === here ? 'page' : undefined}>
          {shown(view.name)}
        </a>
      </li>
    );
  });
  return (
    <ul class="counts" aria-label={attribute(words.savedViews)}>
      {items}
    </ul>
  );
}

/** Returns the forms, for people who may change views. A list that cannot be searched for cannot be saved. */
export function viewForms({ words, desk }: PageContext, ask: Ask, views: readonly SavedView[] | null): Markup {
  if (desk?.person == null || views === null) return NOTHING;
  const secret = secretField({ desk });
  const values = FILTERS.map((name) => <input type="hidden" name={name} value={attribute(ask.values[name])} />);
  const removals = views.map(({ name }) => (
    <form method="post" action={toPage`/views/remove`}>
      {secret}
      <input type="hidden" name="name" value={attribute(name)} />
      <button class="danger">
        {words.removeView}: {shown(name)}
      </button>
    </form>
  ));
  const saving = (
    <form method="post" action={toPage`/views/save`} class="filters">
      {secret}
      {values}
      <label>
        {words.viewName}
        <input name="name" required maxlength={VIEW_LIMITS.nameChars} />
      </label>
      <button>{words.saveView}</button>
    </form>
  );
  return (
    <details>
      <summary>{words.savedViews}</summary>
      {isClear(ask) ? saving : NOTHING}
      {removals}
    </details>
  );
}
