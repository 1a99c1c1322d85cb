/**
 * META-INF/manifest.xml of an OpenDocument package (ODF 1.3 part 2). It is read to find the encrypted entries, and written from scratch.
 */
import type { EngineLimits } from '../../engine.ts';
import { escapeValue } from '../xml-escape.ts';
import { type OdfAttribute, readOdfXml, withoutManifestDoctype } from './xml.ts';

/** The encryption of one entry, according to the manifest. Nothing of it is trusted. */
export interface UntrustedEncryption {
  readonly size: number;
  checksumType: string;
  checksum: string;
  algorithm: string;
  iv: string;
  derivation: string;
  iterations: number;
  keySize: number;
  salt: string;
  startKey: string;
}

/** Returns the encrypted entries by full path. Throws EngineError like `readOdfXml`. */
export function readManifest(bytes: Uint8Array, limits: EngineLimits): ReadonlyMap<string, UntrustedEncryption> {
  const encrypted = new Map<string, UntrustedEncryption>();
  let path = '';
  let size = 0;
  readOdfXml(withoutManifestDoctype(bytes), limits, {
    open(key, attributes) {
      const get = (name: string) => attributeOf(attributes, `manifest:${name}`);
      if (key === 'manifest:file-entry') {
        path = get('full-path');
        size = Number(get('size'));
      } else if (key === 'manifest:encryption-data') {
        encrypted.set(path, startEncryption(size, get('checksum-type'), get('checksum')));
      } else if (key !== null) {
        const entry = encrypted.get(path);
        if (entry !== undefined) addDetail(entry, key, get);
      }
    },
    text() {},
    close() {},
  });
  return encrypted;
}

function startEncryption(size: number, checksumType: string, checksum: string): UntrustedEncryption {
  const none = { algorithm: '', iv: '', derivation: '', salt: '', startKey: 'SHA1' };
  return { size, checksumType, checksum, ...none, iterations: 0, keySize: 16 };
}

function addDetail(entry: UntrustedEncryption, key: string, get: (name: string) => string): void {
  if (key === 'manifest:algorithm') {
    entry.algorithm = get('algorithm-name');
    entry.iv = get('initialisation-vector');
  } else if (key === 'manifest:key-derivation') {
    entry.derivation = get('key-derivation-name');
    entry.iterations = Number(get('iteration-count'));
    entry.salt = get('salt');
    entry.keySize = Number(get('key-size') || '16');
  } else if (key === 'manifest:start-key-generation') {
    entry.startKey = get('start-key-generation-name');
  }
}

function attributeOf(attributes: readonly OdfAttribute[], key: string): string {
  return attributes.find((each) => each.key === key)?.value ?? '';
}

/**
 * Returns the manifest of an output: its type, its version (office programs refuse a package whose manifest and content disagree), and the
 * media type of each of its parts.
 */
export function writeManifest(
  mimetype: string,
  untrustedVersion: string | null,
  parts: ReadonlyMap<string, string>,
): Uint8Array {
  const version = untrustedVersion === null ? '' : ` manifest:version="${escapeValue(untrustedVersion)}"`;
  const rows = [...parts].map(([name, type]) => row(name, type, ''));
  return Buffer.from(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"' +
      `${version}>${row('/', mimetype, version)}${rows.join('')}</manifest:manifest>`,
    'utf8',
  );
}

function row(path: string, type: string, more: string): string {
  return `<manifest:file-entry manifest:full-path="${escapeValue(path)}"${more} manifest:media-type="${escapeValue(type)}"/>`;
}
