/** The weight of a page: sections that may become long share it, so that each has a place and short ones are shown whole. */
import type { Markup } from '../../service/server/markup/jsx-runtime.ts';

/** A section that can be made shorter. */
export interface Section {
  /** Bytes that it may have at least, when the earlier ones leave as many. */
  readonly least: number;
  /** Returns the section with about this many bytes at most. It counts the omitted rows. */
  readonly of: (bytes: number) => Markup;
}

/** For the heading of a section, and for the line with the number of omitted rows. */
const FRAME_BYTES = 400;

/**
 * Makes the sections, so that all of them together have at most this many bytes. Each gets its least first, and then a share of the rest,
 * in this order.
 */
export function sharing<Name extends string>(
  bytes: number,
  sections: Readonly<Record<Name, Section>>,
): Readonly<Record<Name, Markup>> {
  let left = Math.max(0, bytes);
  const take = (wanted: number) => {
    const taken = Math.min(wanted, left);
    left -= taken;
    return taken;
  };
  const all = (Object.entries(sections) as [Name, Section][]).map(([name, { least, of }]) => {
    const whole = of(Number.POSITIVE_INFINITY);
    const wanted = bytesOf(whole);
    return { name, of, whole, wanted, own: take(Math.min(least, wanted)) };
  });
  const made = all.map(({ name, of, whole, wanted, own }) => {
    const granted = own + take(wanted - own);
    return [name, granted === wanted ? whole : of(granted)];
  });
  return Object.fromEntries(made) as Record<Name, Markup>;
}

/**
 * Returns the number of items, from the first on, that fit into a section of this many bytes. `markupOf` returns the markup of an item;
 * without a limit nothing is weighed.
 */
export function fitting<Item>(items: readonly Item[], markupOf: (item: Item) => Markup, bytes: number): number {
  if (bytes === Number.POSITIVE_INFINITY) return items.length;
  let left = bytes - FRAME_BYTES;
  const full = items.findIndex((item) => {
    left -= bytesOf(markupOf(item));
    return left < 0;
  });
  return full === -1 ? items.length : full;
}

/** Returns the bytes of a markup on the wire. */
export const bytesOf = ({ markup }: Markup): number => Buffer.byteLength(markup);
