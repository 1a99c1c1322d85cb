/** Addresses that are signed in their query. */
import { expect, test } from 'vitest';
import { presignedGet } from '../../lib/storage/s3/presign.ts';

const CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const EXAMPLE = {
  ...{ host: 'examplebucket.s3.amazonaws.com', region: 'us-east-1', credentials: CREDENTIALS, key: 'test.txt' },
  ...{ seconds: 86_400, at: new Date('2013-05-24T00:00:00Z') },
};

test('the example of the documentation of S3 has the signature that stands there', () => {
  const { searchParams, origin, pathname } = new URL(presignedGet(EXAMPLE));
  expect([origin, pathname, searchParams.get('X-Amz-Expires')]).toEqual([
    ...['https://examplebucket.s3.amazonaws.com', '/test.txt', '86400'],
  ]);
  expect(searchParams.get('X-Amz-Signature')).toBe('aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404');
});

test('the key, the time, the token and what S3 answers are part of what is signed', () => {
  const answers = { 'response-content-disposition': 'attachment; filename="a (b)*.zip"' };
  const token = { ...EXAMPLE, credentials: { ...CREDENTIALS, sessionToken: 'a+b/c=' } };
  const all = [EXAMPLE, { ...EXAMPLE, key: 'test.tx' }, { ...EXAMPLE, seconds: 300 }, { ...EXAMPLE, answers }, token];
  const signatures = all.map((one) => new URL(presignedGet(one)).searchParams.get('X-Amz-Signature'));
  expect(new Set(signatures).size).toBe(all.length);
  const read = new URL(presignedGet({ ...token, answers })).searchParams;
  expect([read.get('response-content-disposition'), read.get('X-Amz-Security-Token')]).toEqual([
    ...['attachment; filename="a (b)*.zip"', 'a+b/c='],
  ]);
  expect(presignedGet({ ...EXAMPLE, answers })).toContain('%22a%20%28b%29%2A.zip%22');
});
