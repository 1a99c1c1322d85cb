/**
 * The contents of a package, for programs and for people: `sbom.cdx.json` (CycloneDX 1.6) and `LICENCES.md`. Versions are those of the lock
 * file, which are tested here. Neither file has a time, so the same sources give the same bytes.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import { dependenciesAt } from './closure.ts';
import { ROOT } from './compile.ts';
import { type Content, contentsOf } from './contents.ts';
import type { PackageRow } from './package-table.ts';

export const SBOM_FILE = 'sbom.cdx.json';
export const LICENCES_FILE = 'LICENCES.md';

/** Writes both files into the folder of a package. Throws Error for a package whose licence is not accepted. */
export function writeContents(row: PackageRow, version: string, folder: string): void {
  const contents = contentsOf(row);
  writeFileSync(join(folder, SBOM_FILE), sbomOf(row, version, contents));
  writeFileSync(join(folder, LICENCES_FILE), licencesOf(row, version, contents));
}

function sbomOf(row: PackageRow, version: string, contents: readonly Content[]): string {
  const bom = new Models.Bom();
  const own = component(row.name, version, 'Apache-2.0');
  bom.metadata.component = own;
  // A package that is at several places in one version is one component.
  const byName = new Map<string, Models.Component>();
  const byPlace = new Map<string, Models.Component>();
  for (const content of contents) {
    const known = byName.get(`${content.name}@${content.version}`);
    const made = known ?? componentOf(content);
    if (!content.isOptional) made.scope = Enums.ComponentScope.Required;
    byName.set(`${content.name}@${content.version}`, made);
    byPlace.set(content.place, made);
  }
  for (const [place, from] of byPlace) for (const to of dependenciesAt(place)) addDependency(from, byPlace.get(to));
  const direct = [...row.dependencies, ...row.optionalDependencies, ...row.peerDependencies, ...row.inside];
  for (const name of direct) addDependency(own, byPlace.get(`node_modules/${name}`));
  for (const each of byName.values()) bom.components.add(each);
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 1 })}\n`;
}

function addDependency(from: Models.Component, to: Models.Component | undefined): void {
  if (to !== undefined && to !== from) from.dependencies.add(to.bomRef);
}

function componentOf({ name, version, licence, isInside, integrity }: Content): Models.Component {
  const made = component(name, version, licence);
  made.scope = Enums.ComponentScope.Optional;
  const hash = /^sha512-(.+)$/.exec(integrity ?? '')?.[1];
  if (hash !== undefined) made.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(hash, 'base64').toString('hex'));
  if (isInside) made.properties.add(new Models.Property('mail-airlock:inside', 'true'));
  return made;
}

function component(name: string, version: string, licence: string): Models.Component {
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const made = new Models.Component(Enums.ComponentType.Library, short ?? name, { version });
  if (group !== undefined) made.group = group;
  made.bomRef.value = `${name}@${version}`;
  made.purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const isOne = SPDX.isSupportedSpdxId(licence);
  made.licenses.add(isOne ? new Models.SpdxLicense(licence) : new Models.LicenseExpression(licence));
  return made;
}

/** Only packages inside ours need their texts here. A package that npm installs has its own text. */
function licencesOf(row: PackageRow, version: string, contents: readonly Content[]): string {
  const lines = contents.map(
    ({ name, version: of, licence, isInside }) =>
      `| ${name} | ${of} | ${licence} | ${isInside ? 'inside of this package' : 'installed with it'} |`,
  );
  const rows = [...new Set(lines)];
  const texts = textsOf(contents.filter(({ isInside }) => isInside));
  return [
    `# Licences of what ${row.name} ${version} brings\n`,
    'The package itself is under Apache-2.0 (`LICENSE`). `NOTICE` says what is not under a permissive licence, and how to replace it.',
    'Versions are those that were tested together; npm may install newer ones of what others depend on.\n',
    ['| package | version | licence | where |', '|---|---|---|---|', ...rows].join('\n'),
    ...texts.map(([names, text]) => `\n## ${names.join(', ')}\n\n\`\`\`\n${text.trim()}\n\`\`\``),
    '',
  ].join('\n');
}

/** Returns each text once, with the packages that have it. */
function textsOf(contents: readonly Content[]): (readonly [names: string[], text: string])[] {
  const byText = new Map<string, string[]>();
  for (const { name, place } of contents) {
    const text = licenceTextAt(join(ROOT, place));
    if (text !== null) byText.set(text, [...new Set([...(byText.get(text) ?? []), name])]);
  }
  return [...byText].map(([text, names]) => [names, text]);
}

function licenceTextAt(folder: string): string | null {
  if (!existsSync(folder)) throw new Error(`${folder} is not installed, so its licence is not known; run npm ci`);
  const files = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name));
  return files.length === 0 ? null : files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}
