/** One inert file that is made like an attack. Its hosts have reserved names, and it does no harm anywhere. */
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

/** Bytes that start like a Windows program, but are none. */
export const PROGRAM = Buffer.concat([
  Buffer.from('MZ'),
  Buffer.alloc(58),
  Buffer.from([0x40, 0, 0, 0]),
  Buffer.from('PE\0\0'),
  Buffer.alloc(300, 7),
]);
export const HOST = 'http://files.example.invalid';

/** The content as bytes. Text has one byte per character. */
export function bytesOf({ content }: HostileFile): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
}
