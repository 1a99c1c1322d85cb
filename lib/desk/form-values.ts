/** Values that a form shows again as they were typed. They are escaped only, because the next request sends them as they are. */
import type { Markup } from '../service/server/report-page/inert-text.ts';

const VALUE_CHARS = 600;

/** A value between the quotes of an attribute. Addresses are written there as they are, because they are ours and lead to this desk. */
export function attribute(value: string): Markup {
  return escaped(value.slice(0, VALUE_CHARS));
}

/** The text in a field of several lines. The first line feed is not part of it. */
export function fieldText(value: string, maxChars: number): Markup {
  return { markup: `\n${escaped(value.slice(0, maxChars)).markup}` };
}

function escaped(text: string): Markup {
  return { markup: text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`) };
}
