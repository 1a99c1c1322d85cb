/** Puts a banner of ours into a plain text and removes earlier ones. Pure. */
import { asSigns, type Marks } from './page.ts';

type TextMarks = Pick<Marks, 'find' | 'notOurs'>;

/** Returns the text without banners of ours, and without our sign on anything else. Returns null when there is nothing to remove. */
export function textWithoutMarks(text: string, marks: TextMarks): string | null {
  const once = replaced(text, marks);
  // The texts on both sides of a removed banner can form another one.
  return once === null ? null : (replaced(once, asSigns(marks)) ?? once);
}

function replaced(text: string, { find, notOurs }: TextMarks): string | null {
  const marks = find(text);
  if (marks.length === 0) return null;
  const kept: string[] = [];
  let at = 0;
  for (const { start, end, isBanner } of marks) {
    kept.push(text.slice(at, start), isBanner ? '' : notOurs);
    at = end;
  }
  kept.push(text.slice(at));
  return kept.join('');
}

/** Returns the text with the banner above or below it, and a blank line between them. */
export function textWithBanner(text: string, banner: string, place: 'top' | 'bottom'): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = banner.replaceAll('\n', eol);
  if (place === 'top') return `${lines}${eol}${text}`;
  const gap = text === '' || text.endsWith('\n') ? eol : `${eol}${eol}`;
  return `${text}${gap}${lines}`;
}
