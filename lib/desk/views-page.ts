/** Saved views on the page of the list: their links, the form to save the list as it is, and one to remove each. */
import { html, type Markup, NOTHING, shown, titleText } from '../service/server/report-page/inert-text.ts';
import { type Ask, addressOf, FILTERS } from './ask.ts';
import { attribute } from './form-values.ts';
import type { PageContext } from './layout.ts';
import { addressOfView, type SavedView, VIEW_LIMITS } from './saved-view.ts';

/** The links of the views; says so when they cannot be read. */
export function viewLinks({ words }: PageContext, ask: Ask, views: readonly SavedView[] | null): Markup {
  if (views === null) return html`<p class="failure" role="status">${words.viewsUnreadable}</p>`;
  if (views.length === 0) return NOTHING;
  const here = addressOf(ask, {});
  const items = views.map((view) => {
    const address = addressOfView(view);
    const current = address === here ? { markup: ' aria-current="page"' } : NOTHING;
    return html`<li><a href="${attribute(address)}"${current}>${shown(view.name)}</a></li>`;
  });
  return html`<ul class="counts" aria-label="${attribute(words.savedViews)}">${items}</ul>`;
}

/** The forms, for who may change views. */
export function viewForms({ words, desk }: PageContext, ask: Ask, views: readonly SavedView[] | null): Markup {
  if (desk?.person == null || views === null) return NOTHING;
  const secret = html`<input type="hidden" name="csrf" value="${titleText(desk.csrf, 100)}">`;
  const values = FILTERS.map(
    (name) => html`<input type="hidden" name="${{ markup: name }}" value="${attribute(ask.values[name])}">`,
  );
  const removals = views.map(
    ({ name }) =>
      html`<form method="post" action="/views/remove">${secret}<input type="hidden" name="name" value="${attribute(name)}"><button class="danger">${words.removeView}: ${shown(name)}</button></form>`,
  );
  return html`<details><summary>${words.savedViews}</summary><form method="post" action="/views/save" class="filters">${secret}${values}
<label>${words.viewName}<input name="name" required maxlength="${VIEW_LIMITS.nameChars}"></label><button>${words.saveView}</button></form>${removals}</details>`;
}
