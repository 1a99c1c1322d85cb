/** The frame of every page of the desk. It looks like the report of the analysis service, and has its words made inert in the same place. */
import { html, type Markup, NOTHING, titleText } from '../service/server/report-page/inert-text.ts';
import type { DeskLanguage, DeskWords } from './desk-words.ts';

const TITLE_CHARS = 200;
export const STYLE_PATH = '/style.css';

/** What every page knows. */
export interface PageContext {
  readonly language: DeskLanguage;
  readonly words: DeskWords;
  /** Who decides here; null when this desk only reads. */
  readonly person: string | null;
  /** Stands in every form. Empty where there are none. */
  readonly csrf: string;
}

/** The text of a page. */
export function pageText(
  { language, words, person }: PageContext,
  title: string,
  ...content: readonly Markup[]
): string {
  return html`${{ markup: '<!doctype html>' }}
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleText(title, TITLE_CHARS)}</title>
<link rel="stylesheet" href="${{ markup: STYLE_PATH }}">
</head>
<body><main>
<nav><b>Mail Airlock</b> <a href="/mails">${words.held}</a> <a href="/mails?state=">${words.all}</a>${person === null ? NOTHING : html` <span class="who">${person}</span>`}</nav>
${content}
</main></body>
</html>
`.markup;
}
