/** A finding in German: its name, and why it matters. */
export type GermanText = readonly [name: string, description: string];
