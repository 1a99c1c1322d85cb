/** What the stories of the desk have in common. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Office } from './desk-office.ts';
import type { Pictures } from './desk-pictures.ts';
import { follow } from './desk-steps.ts';

/** A desk of an office, as a story has it. */
export interface Desk {
  readonly browser: Browser;
  readonly office: Office;
  readonly pictures: Pictures;
  /** A page of this person, let in. */
  readonly as: (person: 'pat' | 'kim', options?: BrowserContextOptions) => Promise<Page>;
}

/** As wide as a window beside another. */
export const WIDE = { width: 1_100, height: 800 };

/** What does not hold. */
export type Story = (desk: Desk) => Promise<readonly string[]>;

/** Nothing when it is so; else what is not. */
export const holds = (fact: string, isSo: boolean): string[] => (isSo ? [] : [`not so: ${fact}`]);
/** An address beside that of the page. */
export const urlOf = (page: Page, path: string) => new URL(path, page.url()).href;

/** Opens the mail with this subject as a person does: by a search. */
export async function open(page: Page, subject: string): Promise<void> {
  await page.goto(urlOf(page, '/mails?state='));
  await page.locator('form[action="/mails"] input[name=words]').fill(subject);
  await follow(page, 'form[action="/mails"] button');
  await follow(page, 'tbody a');
}

/** Sends the form of a decision on the page of a mail. */
export async function decide(page: Page, name: string, why: string): Promise<void> {
  await page.locator(`form[action$="/${name}"] input[name=why]`).fill(why);
  await follow(page, `form[action$="/${name}"] button`);
}
