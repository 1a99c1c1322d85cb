/** What the clients of both interfaces are made with. */
import { normalizeBaseUrl } from './base-url.ts';
import { ClientConfigError } from './errors.ts';
import type { FilePart } from './multipart.ts';
import type { ListForm } from './route-caller.ts';
import type { TransportOptions } from './transport.ts';

export interface ServiceOptions extends TransportOptions {
  /** With or without the `/public-api` that some services live under, as the service's own documentation gives it. */
  readonly baseUrl: string;
  /** Accept plain http to other machines. @default false: the key and the files could be read on the way */
  readonly allowInsecureHttp?: boolean;
  /** Where the file stands in a form. @default last, as public clients send it */
  readonly filePart?: FilePart;
  /** How lists are written in queries. @default comma, as documented */
  readonly listForm?: ListForm;
}

export interface AnalysisClientOptions extends ServiceOptions {
  readonly apiKey: string;
  /**
   * How the metafields of a form are written: a list of {key, value} with text values as documented, or an object with values
   * as they are, as public clients send it. @default list
   */
  readonly metafieldsForm?: 'list' | 'object';
}

/** The normalised base URL. Throws ClientConfigError. */
export const baseUrlOf = (options: ServiceOptions) =>
  normalizeBaseUrl(options.baseUrl, options.allowInsecureHttp ?? false);

/** A credential that can stand in a header. Throws ClientConfigError, without the credential in it. */
export function checkedCredential(name: string, credential: string): string {
  if (/^[\x21-\x7e]+$/.test(credential)) return credential;
  throw new ClientConfigError(`the ${name} is empty or not plain ASCII`);
}
