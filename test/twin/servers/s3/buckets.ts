/** Buckets as the template has them, and the events about new objects. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Resource } from '../../assembly/assembly.ts';
import { unknown } from '../../assembly/refuse.ts';
import type { ToldClock } from '../../clock.ts';
import type { EventBus } from '../event-bus.ts';
import type { BucketSettings, BucketStore, StoredObject } from './store.ts';

interface Rule {
  readonly ServerSideEncryptionByDefault: { readonly SSEAlgorithm: string; readonly KMSMasterKeyID?: string };
}

/** What the twin needs to know of a bucket. Throws UnknownToTwinError for an encryption that it does not know. */
export function bucketSettings({ name, arn, properties }: Resource): BucketSettings {
  const { ServerSideEncryptionConfiguration: rules = [] } = (properties.BucketEncryption ?? {}) as {
    readonly ServerSideEncryptionConfiguration?: readonly Rule[];
  };
  const notifications = (properties.NotificationConfiguration ?? {}) as {
    readonly EventBridgeConfiguration?: { readonly EventBridgeEnabled: boolean };
  };
  const versioning = properties.VersioningConfiguration as { readonly Status: string } | undefined;
  return {
    name,
    arn,
    isVersioned: versioning?.Status === 'Enabled',
    keyArn: keyOf(rules),
    tellsEventBridge: notifications.EventBridgeConfiguration?.EventBridgeEnabled ?? false,
  };
}

function keyOf([rule]: readonly Rule[]): string | null {
  const byDefault = rule?.ServerSideEncryptionByDefault;
  if (byDefault === undefined || byDefault.SSEAlgorithm === 'AES256') return null;
  return byDefault.KMSMasterKeyID ?? unknown('encryption of a bucket', byDefault);
}

export interface Created {
  readonly key: string;
  readonly object: StoredObject;
  readonly reason: string;
}

/** Puts the event "Object Created" on the bus, if the bucket says so. */
export function tellBus(bus: EventBus, { settings }: BucketStore, created: Created, clock: ToldClock): void {
  if (settings.tellsEventBridge) bus.put(objectCreated(settings, created, clock));
}

/** The event "Object Created" of S3, as EventBridge has it. */
export function objectCreated(
  { name, arn, isVersioned }: BucketSettings,
  { key, object, reason }: Created,
  clock: ToldClock,
) {
  return {
    source: 'aws.s3',
    'detail-type': 'Object Created',
    resources: [arn],
    detail: {
      version: '0',
      bucket: { name },
      object: {
        key,
        size: object.body.length,
        etag: object.etag.replaceAll('"', ''),
        ...(isVersioned && { 'version-id': object.versionId }),
        sequencer:
          `${Math.floor(clock.now()).toString(16).padStart(12, '0')}${randomBytes(2).toString('hex')}`.toUpperCase(),
      },
      'request-id': randomUUID(),
      requester: 'twin',
      'source-ip-address': '127.0.0.1',
      reason,
    },
  };
}
