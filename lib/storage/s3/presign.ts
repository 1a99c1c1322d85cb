/**
 * Makes an address that reads one object of S3 for some minutes, for anybody who has it. It is a request that is signed in its query (AWS
 * Signature Version 4). It gives no right that its signer lacks.
 */
import { createHash, createHmac } from 'node:crypto';

export interface PresignCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface PresignRequest {
  /** The host of the bucket. */
  readonly host: string;
  readonly region: string;
  readonly credentials: PresignCredentials;
  readonly key: string;
  /** The time for which it works. Temporary credentials may end it sooner. */
  readonly seconds: number;
  /** Header fields that S3 answers with, such as `response-content-type`. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly at: Date;
}

/**
 * Returns the address.
 *
 * @example
 * ```ts
 * const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
 * const where = { host: 'examplebucket.s3.amazonaws.com', region: 'us-east-1', key: 'test.txt' };
 * presignedGet({ ...where, credentials, seconds: 300, at: new Date() }).startsWith('https://examplebucket.s3'); // => true
 * ```
 */
export function presignedGet({ host, region, credentials, key, seconds, answers = {}, at }: PresignRequest): string {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const fields = {
    ...answers,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(seconds),
    ...(sessionToken !== undefined && { 'X-Amz-Security-Token': sessionToken }),
    'X-Amz-SignedHeaders': 'host',
  };
  const query = Object.entries(fields)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const path = `/${key.split('/').map(encoded).join('/')}`;
  const request = ['GET', path, query, `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const digest = createHash('sha256').update(request).digest('hex');
  const signed = ['AWS4-HMAC-SHA256', time, scope, digest].join('\n');
  const secret = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return `https://${host}${path}?${query}&X-Amz-Signature=${hmac(secret, signed).toString('hex')}`;
}

const hmac = (secret: string | Buffer, text: string): Buffer => createHmac('sha256', secret).update(text).digest();

/** RFC 3986 §2.3: every other character gets a percent sign, also those that `encodeURIComponent` leaves. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
