/** From a reading to a ledger: pure. Artifacts are made here, one per distinct content and one per distinct URL. */

import { decodePart } from '../message/decode.ts';
import type { MessagePart, MessageReading } from '../message/model.ts';
import { decodeText } from '../message/text.ts';
import { findUrls, isComplete } from '../message/urls-find.ts';
import { identifyFile } from './file-type.ts';
import { sha256Hex } from './keys.ts';
import type { Artifact, FoundUrl, IntakeObject, Ledger, Part, Warning } from './ledger.ts';
import type { Limits } from './limits.ts';
import type { TypeGroup } from './model.ts';

/** The ledger of an email: its parts, its URLs, and an artifact for each distinct one. */
export function ledgerOfEmail(limits: Limits, blank: Ledger, reading: MessageReading, email: Uint8Array): Ledger {
  const leaves = reading.parts.map((part) => toPart(part, email));
  const files = leaves.map((leaf) => leaf.file).filter((file) => file !== null);
  const parts = leaves.map((leaf) => leaf.part);
  const texts = leaves.flatMap(({ part, bytes, charset }) => (bytes ? [{ part, bytes, charset }] : []));
  const base: Ledger = { ...blank, message: reading.facts, parts, warnings: [...reading.warnings] };
  return withUrls(limits, { ...base, artifacts: mergeArtifacts(files) }, texts);
}

/** The ledger of a bare file: one part, one artifact, the same way through the stages. */
export function ledgerOfFile(limits: Limits, blank: Ledger, bytes: Uint8Array): Ledger {
  const type = identifyFile(bytes, { untrustedNames: [fileNameOf(blank.intake)], declaredType: '', role: 'file' });
  const sha256 = sha256Hex(bytes);
  const part: Part = {
    path: '1',
    parent: null,
    depth: 0,
    role: 'attachment',
    untrustedNames: [fileNameOf(blank.intake)],
    declaredType: 'application/octet-stream',
    detectedType: type.detectedType,
    typeGroup: type.typeGroup,
    size: bytes.length,
    sha256,
    header: { start: 0, end: 0 },
    body: { start: 0, end: bytes.length },
    readings: ['structure'],
    disposition: null,
    delivered: null,
  };
  const artifact = fileArtifact(part, type.typeGroup, type.extension, sha256);
  const ledger: Ledger = { ...blank, kind: 'file', parts: [part], artifacts: [artifact] };
  return withUrls(limits, ledger, isText(type.typeGroup) ? [{ part, bytes, charset: null }] : []);
}

function fileNameOf(intake: IntakeObject): string {
  return intake.untrustedKey.slice(intake.untrustedKey.lastIndexOf('/') + 1);
}

const isText = (group: TypeGroup) => group === 'text' || group === 'html';

interface Leaf {
  readonly part: Part;
  readonly file: Artifact | null;
  /** Decoded bytes of texts that are searched for URLs; null for everything else. */
  readonly bytes: Uint8Array | null;
  readonly charset: string | null;
}

function toPart(source: MessagePart, email: Uint8Array): Leaf {
  const { path, parent, depth, role, declaredType, charset, size, sha256, header, body } = source;
  const common = {
    path,
    parent,
    depth,
    role,
    declaredType,
    size,
    sha256,
    header,
    body,
    disposition: null,
    delivered: null,
  };
  const untrustedNames = [...source.untrustedNames];
  const readings = [...source.readings];
  if (role === 'multipart' || role === 'message' || sha256 === null)
    return {
      part: { ...common, untrustedNames, readings, detectedType: null, typeGroup: null },
      file: null,
      bytes: null,
      charset,
    };
  const bytes = decodePart(email, source);
  const { detectedType, extension, typeGroup } = identifyFile(bytes, { untrustedNames, declaredType, role });
  const part: Part = { ...common, untrustedNames, readings, detectedType, typeGroup };
  return {
    part,
    file: fileArtifact(part, typeGroup, extension, sha256),
    bytes: isText(typeGroup) ? bytes : null,
    charset,
  };
}

function fileArtifact(part: Part, typeGroup: TypeGroup, extension: string, id: string): Artifact {
  return {
    ...UNJUDGED,
    type: 'file',
    id,
    typeGroup,
    extension,
    size: part.size,
    untrustedUrl: null,
    origins: [part.path],
  };
}

const UNJUDGED = { submissions: [], verdict: 'unknown', disposition: null, reasons: [] } satisfies Partial<Artifact>;

/** How much may go wrong with a group: when the same bytes are claimed to be two things, the worse one decides. */
const WORST_FIRST: readonly TypeGroup[] = [
  'executable',
  'script',
  'other',
  'archive',
  'email',
  'office',
  'pdf',
  'html',
  'image',
  'text',
  'url',
];

/** One artifact per content. The same bytes may come under a harmless name and a harmful one. */
function mergeArtifacts(files: readonly Artifact[]): Artifact[] {
  const byId = new Map<string, Artifact>();
  for (const file of files) {
    const seen = byId.get(file.id);
    if (!seen) byId.set(file.id, file);
    else {
      const worse = WORST_FIRST.indexOf(file.typeGroup) < WORST_FIRST.indexOf(seen.typeGroup) ? file : seen;
      byId.set(file.id, { ...worse, origins: [...seen.origins, ...file.origins] });
    }
  }
  return [...byId.values()];
}

interface SearchableText {
  readonly part: Part;
  readonly bytes: Uint8Array;
  readonly charset: string | null;
}

function withUrls(limits: Limits, ledger: Ledger, texts: readonly SearchableText[]): Ledger {
  const warnings = [...ledger.warnings];
  const found: FoundUrl[] = [];
  for (const { part, bytes, charset } of texts) {
    if (bytes.length > limits.textBytes)
      warnings.push({
        code: 'text_too_large',
        path: part.path,
        detail: `a text of ${bytes.length} bytes was not searched for URLs`,
      });
    else for (const url of urlsOfText(limits, warnings, part, decodeText(bytes, charset))) found.push(url);
  }
  const ids = [...new Set(found.map((url) => url.artifactId))];
  const judged = new Set(ids.slice(0, limits.urls));
  if (ids.length > limits.urls)
    warnings.push({
      code: 'urls_over_limit',
      path: null,
      detail: `${ids.length} distinct URLs; at most ${limits.urls} are judged`,
    });
  const urls = found.filter((url) => judged.has(url.artifactId)).slice(0, limits.urlPlaces);
  if (found.length > limits.urlPlaces)
    warnings.push({
      code: 'urls_over_limit',
      path: null,
      detail: `${found.length} places of URLs; at most ${limits.urlPlaces} are listed`,
    });
  return {
    ...ledger,
    warnings,
    urls,
    urlsOverLimit: ids.length - judged.size,
    artifacts: [...ledger.artifacts, ...urlArtifacts(urls)],
  };
}

function urlsOfText(limits: Limits, warnings: Warning[], part: Part, text: string): FoundUrl[] {
  const format = part.typeGroup === 'html' ? 'html' : 'text';
  const spellings = new Map<string, Set<string>>();
  const urls: FoundUrl[] = [];
  const located = findUrls(text, format, limits);
  if (!isComplete(located))
    warnings.push({ code: 'urls_over_limit', path: part.path, detail: 'more URLs than can be listed' });
  for (const { untrustedRaw, normalised, where } of located) {
    const artifactId = sha256Hex(normalised);
    const seen = spellings.get(artifactId) ?? new Set();
    const spelling = `${where} ${untrustedRaw}`;
    if (seen.has(spelling) || seen.size >= limits.urlSpellings) continue;
    spellings.set(artifactId, seen.add(spelling));
    urls.push({
      path: part.path,
      untrustedRaw: untrustedRaw.slice(0, limits.untrustedTextLength),
      normalised,
      where,
      artifactId,
    });
  }
  return urls;
}

function urlArtifacts(urls: readonly FoundUrl[]): Artifact[] {
  const byId = new Map<string, Artifact>();
  for (const { artifactId: id, normalised, path } of urls) {
    const origins = [...new Set([...(byId.get(id)?.origins ?? []), path])];
    byId.set(id, {
      ...UNJUDGED,
      type: 'url',
      id,
      typeGroup: 'url',
      extension: '',
      size: normalised.length,
      untrustedUrl: normalised,
      origins,
    });
  }
  return [...byId.values()];
}
