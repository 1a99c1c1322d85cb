/** Options of the clients of both interfaces. */
import { normalizeBaseUrl } from './base-url.ts';
import type { Dialect } from './dialect.ts';
import { ClientConfigError } from './errors.ts';
import type { FilePart } from './multipart.ts';
import type { ListForm } from './route-caller.ts';
import type { TransportOptions } from './transport.ts';

/** Options of every client. */
export interface ServiceOptions extends TransportOptions {
  /** The base URL from the documentation of the service, with or without the `/public-api` of some services. */
  readonly baseUrl: string;
  /** Accept plain http to other machines. @default false, because others could read the key and the files */
  readonly allowInsecureHttp?: boolean;
  /** The place of the file in a form. @default last, as public clients send it */
  readonly filePart?: FilePart;
  /** How lists are written in queries. @default as the dialect has it: comma where it is documented, else repeated */
  readonly listForm?: ListForm;
}

/** Options of a client of the analysis service. */
export interface AnalysisClientOptions extends ServiceOptions {
  readonly apiKey: string;
  /** The names of routes that the service knows. @default learned at the first refusal of a name */
  readonly dialect?: Dialect;
  /**
   * How the metafields of a form are written: as a documented list of {key, value} with text values, or as an object with plain values like
   * in public clients. @default as the dialect has it: list where it is documented, else object
   */
  readonly metafieldsForm?: 'list' | 'object';
}

/**
 * Returns the normalised base URL. Throws ClientConfigError.
 *
 * @example
 * ```ts
 * baseUrlOf({ baseUrl: 'https://analysis.example/' }); // => 'https://analysis.example'
 * ```
 */
export const baseUrlOf = (options: ServiceOptions) =>
  normalizeBaseUrl(options.baseUrl, options.allowInsecureHttp ?? false);

/**
 * Returns a credential that fits into a header. Throws a ClientConfigError that does not contain the credential.
 *
 * @example
 * ```ts
 * checkedCredential('API key', 'ma_1f0c7a52'); // => 'ma_1f0c7a52'
 * ```
 */
export function checkedCredential(name: string, credential: string): string {
  if (/^[\x21-\x7e]+$/.test(credential)) return credential;
  throw new ClientConfigError(`the ${name} is empty or not plain ASCII`);
}
