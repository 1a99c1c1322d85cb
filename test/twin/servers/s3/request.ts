/** Which operation of S3 a request is, and what it says. A parameter or header that the twin does not know is refused. */
import { onlyKnown, unknown } from '../../assembly/refuse.ts';
import { type AwsCall, AwsError } from '../call.ts';

export interface S3Request {
  readonly bucket: string;
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

const QUERY = [
  'continuation-token',
  'delimiter',
  'list-type',
  'max-keys',
  'partNumber',
  'prefix',
  'start-after',
  'tagging',
  'uploadId',
  'uploads',
  'versionId',
  'versions',
  'x-id',
];
/** Headers that change what is done. Others of HTTP itself do not. */
const HEADERS = [
  'x-amz-bucket-region',
  'x-amz-checksum-algorithm',
  'x-amz-checksum-crc32',
  'x-amz-checksum-mode',
  'x-amz-checksum-type',
  'x-amz-content-sha256',
  'x-amz-copy-source',
  'x-amz-copy-source-if-match',
  'x-amz-copy-source-range',
  'x-amz-date',
  'x-amz-decoded-content-length',
  'x-amz-metadata-directive',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-security-token',
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-aws-kms-key-id',
  'x-amz-tagging',
  'x-amz-tagging-directive',
  'x-amz-trailer',
  'x-amz-user-agent',
];

/** Bucket and key are percent-decoded; nothing else is: `..` and `//` are parts of a key like any other. */
export function s3RequestOf({ target, headers }: Pick<AwsCall, 'target' | 'headers'>): S3Request {
  const [path = '', search = ''] = target.split(/\?(.*)/s);
  const [, bucket = '', rest = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  const query = Object.fromEntries(new URLSearchParams(search));
  onlyKnown('query parameter of S3', query, QUERY);
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-') || /^(if-|range$)/.test(name));
  onlyKnown('header of S3', Object.fromEntries(own), [...HEADERS, 'if-none-match', 'if-match', 'range']);
  const all = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return { bucket: decoded(bucket), key: decoded(rest), query, headers: Object.fromEntries(all) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AwsError('InvalidURI', 400, 'the key is not UTF-8');
  }
}

/** The name of the operation, as the API reference has it. */
export function s3OperationOf(call: Pick<AwsCall, 'method' | 'target' | 'headers'>): string {
  const { key, query, headers } = s3RequestOf(call);
  const isPart = 'partNumber' in query;
  const isCopy = 'x-amz-copy-source' in headers;
  if (key === '') return operationOnBucket(call, query);
  if ('tagging' in query) return operationOnTags(call);
  switch (call.method) {
    case 'PUT':
      if (isPart) return isCopy ? 'UploadPartCopy' : 'UploadPart';
      return isCopy ? 'CopyObject' : 'PutObject';
    case 'GET':
      return 'GetObject';
    case 'HEAD':
      return 'HeadObject';
    case 'DELETE':
      return 'uploadId' in query ? 'AbortMultipartUpload' : 'DeleteObject';
    case 'POST':
      return 'uploads' in query ? 'CreateMultipartUpload' : 'CompleteMultipartUpload';
    default:
      return unknown('method of S3', call.method);
  }
}

type Asked = Pick<AwsCall, 'method' | 'target'>;

function operationOnBucket({ method, target }: Asked, query: S3Request['query']): string {
  if (method === 'GET' && query['list-type'] === '2') return 'ListObjectsV2';
  if (method === 'GET' && 'versions' in query) return 'ListObjectVersions';
  return unknown('request to a bucket', `${method} ${target}`);
}

function operationOnTags({ method, target }: Asked): string {
  if (method === 'GET') return 'GetObjectTagging';
  if (method === 'PUT') return 'PutObjectTagging';
  return unknown('request for tags', `${method} ${target}`);
}

export interface CopySource {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string | null;
}

/** The header `x-amz-copy-source`. */
export function copySourceOf({ headers }: S3Request): CopySource {
  const [path = '', version] = String(headers['x-amz-copy-source']).split('?versionId=');
  const [, bucket = '', key = ''] = /^\/?([^/]+)\/(.*)$/s.exec(path) ?? [];
  return { bucket: decoded(bucket), key: decoded(key), versionId: version === undefined ? null : decoded(version) };
}
