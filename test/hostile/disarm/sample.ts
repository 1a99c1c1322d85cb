/** A file that holds one thing that must be gone, inert, and a text that must stay. */
import type { Format, Row } from './row.ts';

/** In everything live of a sample; in no layer of a result. Compared without regard to case. */
export const LIVE = 'airlocklive';
/** In what a reader sees of a sample; in every result. */
export const KEEP = 'AirlockKeep';
/** A remote address that belongs to nobody. */
export const LIVE_URL = `http://${LIVE}.example/x`;

export interface Sample {
  readonly row: Row;
  readonly format: Format;
  /** How the thing is written: `plain`, `escaped names`. */
  readonly encoding: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** False where nothing can stay or be read, as for pictures. */
  readonly hasText: boolean;
}

/** One way to write a thing. */
export interface Draft {
  readonly encoding: string;
  readonly content: string | Uint8Array;
  /** @default true */
  readonly hasText?: boolean;
}

/** Builds every way of one row in one format. */
export type Generator = (line: string, format: Format) => readonly Draft[] | Promise<readonly Draft[]>;

export const idOf = ({ row, format, encoding }: Sample): string => `${row.id} · ${format} · ${encoding}`;
