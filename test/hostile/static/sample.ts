/** One inert file of our own, made the way an attack is made. Hosts under reserved names only, nothing that would do harm anywhere. */
export interface HostileFile {
  readonly technique: string;
  readonly name: string;
  readonly content: string | Uint8Array;
  /** What it must at least be found as. */
  readonly level: 'malicious' | 'suspicious';
  /** Findings that must be among those of the report. */
  readonly finds: readonly string[];
}

export const base64 = (text: string | Uint8Array) => Buffer.from(text as string, 'latin1').toString('base64');
export const base64Wide = (text: string) => Buffer.from(text, 'utf16le').toString('base64');
export const codes = (text: string) => [...text].map((char) => char.charCodeAt(0));

/** Starts like a Windows program and is none. */
export const PROGRAM = Buffer.concat([
  Buffer.from('MZ'),
  Buffer.alloc(58),
  Buffer.from([0x40, 0, 0, 0]),
  Buffer.from('PE\0\0'),
  Buffer.alloc(300, 7),
]);
export const HOST = 'http://files.example.invalid';

/** The content as bytes: text stands one byte a character. */
export function bytesOf({ content }: HostileFile): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
}
