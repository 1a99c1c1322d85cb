/** Steps of a person in a browser. */
import type { Page } from 'playwright-core';

const STAGES_MS = 120_000;

/** Clicks on the first of them, and resolves when the page behind it is whole: a page that has only begun has no text yet. */
export async function follow(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.locator(selector).first().click()]);
}

/** Most presses of the Tab key until an element has the focus. */
const MAX_TABS = 120;

/** Goes on with the Tab key until the first of them has the focus. Returns what is not right: it is not reached, or nobody sees that it has the focus. */
export async function tabTo(page: Page, selector: string): Promise<string[]> {
  for (let times = 0; times < MAX_TABS; times += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator(`${selector}:focus`).count()) === 0) continue;
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    return outline === 'none' ? [`nobody sees the focus of ${selector}`] : [];
  }
  return [`the Tab key does not reach ${selector}`];
}

/** Presses Enter, and resolves when the page behind it is whole. */
export async function enter(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}

/** Waits for the end of a dropped file. Looks at each page that is loaded: waiting for an element would run scripts in a page that forbids them. */
export async function untilItEnds(page: Page): Promise<void> {
  for (;;) {
    const next = page.waitForEvent('load', { timeout: STAGES_MS });
    next.catch(() => {});
    // A page that is left while it is read has no content; the next one has.
    const content = await page.content().catch(() => '');
    if (content.includes('Open the mail')) return;
    await next;
  }
}

/** The first heading, which says what a page is about. */
export const headingOf = async (page: Page): Promise<string> => (await page.locator('h1').first().textContent()) ?? '';

export const rowsOf = (page: Page): Promise<number> => page.locator('tbody tr').count();
