/** Uploads in parts that are not complete yet. */
import { createHash, randomUUID } from 'node:crypto';
import { AwsError } from '../call.ts';
import type { StoredObject } from './store.ts';
import { textsIn } from './xml.ts';

type Described = Omit<StoredObject, 'versionId' | 'etag' | 'body'>;
type Query = Readonly<Record<string, string>>;

interface Upload {
  readonly described: Described;
  readonly parts: Map<number, { readonly etag: string; readonly body: Buffer }>;
}

export class PartialUploads {
  private readonly uploads = new Map<string, Upload>();

  begin(described: Described): string {
    const id = randomUUID();
    this.uploads.set(id, { described, parts: new Map() });
    return id;
  }

  /** Returns the ETag of the part. */
  add(query: Query, body: Buffer): string {
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    this.find(query).parts.set(Number(query.partNumber), { etag, body });
    return etag;
  }

  /** The object of the parts that the request lists, in their order. Throws AwsError when it lists others than there are. */
  complete(query: Query, xml: string): Described & { readonly body: Buffer; readonly etag: string } {
    const { described, parts } = this.find(query);
    const listed = textsIn(xml, 'PartNumber').map((number, index) => ({ number, etag: textsIn(xml, 'ETag')[index] }));
    const found = listed.map(({ number, etag }) => {
      const part = parts.get(Number(number));
      if (!part || part.etag !== etag) throw new AwsError('InvalidPart', 400, `part ${number} is not there`);
      return part;
    });
    this.uploads.delete(String(query.uploadId));
    const digest = createHash('md5').update(found.map(({ etag }) => etag).join(''));
    return {
      ...described,
      body: Buffer.concat(found.map(({ body }) => body)),
      etag: `"${digest.digest('hex')}-${found.length}"`,
    };
  }

  abort(query: Query): void {
    this.find(query);
    this.uploads.delete(String(query.uploadId));
  }

  private find({ uploadId }: Query): Upload {
    const upload = this.uploads.get(String(uploadId));
    if (!upload) throw new AwsError('NoSuchUpload', 404, 'no such upload');
    return upload;
  }
}
