/** Objects and their versions, in memory. */
import { createHash, randomBytes } from 'node:crypto';
import { AwsError } from '../call.ts';

export interface StoredObject {
  readonly versionId: string;
  readonly body: Buffer;
  /** In quotes. */
  readonly etag: string;
  readonly contentType: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly modifiedAt: number;
}

export interface BucketSettings {
  readonly name: string;
  readonly arn: string;
  /** A person can suspend it at any time. */
  isVersioned: boolean;
  /** ARN of the key of its default encryption, or null. */
  readonly keyArn: string | null;
  readonly tellsEventBridge: boolean;
}

interface DeleteMarker {
  readonly versionId: string;
  readonly body: null;
}

/** The version of everything in a bucket without versions. */
const NO_VERSION = 'null';

export class BucketStore {
  readonly settings: BucketSettings;
  /** By key, oldest first. */
  private readonly objects = new Map<string, (StoredObject | DeleteMarker)[]>();

  constructor(settings: BucketSettings) {
    this.settings = settings;
  }

  /** Keys whose newest version is no delete marker, sorted by their UTF-8 bytes. */
  keys(): string[] {
    const present = [...this.objects.keys()].filter((key) => this.newest(key) !== null);
    return present.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }

  newest(key: string): StoredObject | null {
    const last = this.objects.get(key)?.at(-1);
    return last === undefined || last.body === null ? null : last;
  }

  /** All versions of a key with bytes, oldest first. */
  versions(key: string): StoredObject[] {
    return (this.objects.get(key) ?? []).filter((one): one is StoredObject => one.body !== null);
  }

  /** Every version of everything below a prefix, with marks of deletions, sorted by key. */
  everything(prefix: string): { readonly key: string; readonly versionId: string; readonly isMark: boolean }[] {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    return keys.flatMap((key) =>
      (this.objects.get(key) ?? []).map(({ versionId, body }) => ({ key, versionId, isMark: body === null })),
    );
  }

  /** One version, the newest if none is named. Throws AwsError (NoSuchKey, NoSuchVersion). */
  find(key: string, versionId: string | null): StoredObject {
    const found = versionId === null ? this.newest(key) : this.versions(key).find((one) => one.versionId === versionId);
    if (found) return found;
    const [name, message] = versionId === null ? ['NoSuchKey', 'no such key'] : ['NoSuchVersion', 'no such version'];
    throw new AwsError(name as string, 404, message as string);
  }

  put(key: string, object: Omit<StoredObject, 'versionId' | 'etag'>, etag?: string): StoredObject {
    const versionId = this.settings.isVersioned ? randomBytes(16).toString('base64url') : NO_VERSION;
    const stored = { ...object, versionId, etag: etag ?? this.etagOf(object.body) };
    this.objects.set(key, [...this.kept(key), stored]);
    return stored;
  }

  /** Replaces the tags of one version. Throws AwsError. */
  tag(key: string, versionId: string | null, tags: StoredObject['tags']): void {
    const found = this.find(key, versionId);
    const all = this.objects.get(key) ?? [];
    this.objects.set(
      key,
      all.map((one) => (one === found ? { ...found, tags } : one)),
    );
  }

  /** Puts a delete marker, or removes one version. */
  delete(key: string, versionId: string | null): void {
    const versions = this.objects.get(key) ?? [];
    if (versionId !== null)
      this.objects.set(
        key,
        versions.filter((one) => one.versionId !== versionId),
      );
    else if (this.settings.isVersioned)
      this.objects.set(key, [...versions, { versionId: randomBytes(16).toString('base64url'), body: null }]);
    else this.objects.delete(key);
  }

  private kept(key: string): (StoredObject | DeleteMarker)[] {
    return this.settings.isVersioned ? (this.objects.get(key) ?? []) : [];
  }

  /** The MD5 of the bytes, but not under a key of KMS: there an ETag says nothing of the bytes alone. */
  private etagOf(body: Buffer): string {
    const hash = createHash('md5').update(body);
    if (this.settings.keyArn !== null) hash.update(randomBytes(16));
    return `"${hash.digest('hex')}"`;
  }
}
