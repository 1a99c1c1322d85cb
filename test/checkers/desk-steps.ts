/** Steps of a person in a browser. */
import type { Page } from 'playwright-core';

const STAGES_MS = 120_000;

/** Clicks on the first of them, and resolves when the page behind it is whole: a page that has only begun has no text yet. */
export async function follow(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.locator(selector).first().click()]);
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
