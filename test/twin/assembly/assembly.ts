/** A synthesized stack as it would be deployed: every resource with its properties resolved, and the folders of its bundles. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { holds, type Names, resolve } from './intrinsics.ts';
import { onlyKnown, unknown } from './refuse.ts';
import { type Place, RESOURCE_TYPES, type ResourceType } from './resource-types.ts';

export type Properties = Readonly<Record<string, unknown>>;

export interface Resource {
  readonly logicalId: string;
  readonly type: string;
  /** Physical name. */
  readonly name: string;
  readonly ref: string;
  readonly arn: string;
  readonly properties: Properties;
}

export interface Assembly {
  readonly place: Place;
  readonly resources: readonly Resource[];
  of(type: string): readonly Resource[];
  /** The folder of an asset, by the key under which it would lie in the bucket of the bootstrap. */
  assetFolder(s3Key: string): string;
}

interface RawResource {
  readonly Type: string;
  readonly Properties?: Properties;
  readonly Condition?: string;
}

interface Template {
  readonly Resources: Readonly<Record<string, RawResource>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Parameters?: Readonly<Record<string, { readonly Type: string; readonly Default?: string }>>;
}

const SECTIONS = ['Description', 'Resources', 'Outputs', 'Conditions', 'Parameters', 'Rules'];
const RESOURCE_KEYS = [
  'Type',
  'Properties',
  'Condition',
  'DependsOn',
  'Metadata',
  'DeletionPolicy',
  'UpdateReplacePolicy',
];

/** Loads and resolves a stack of an assembly (`cdk.out`). Throws UnknownToTwinError for whatever the twin does not know. */
export function loadAssembly(directory: string, stack: string, place: Place): Assembly {
  const template: Template = readJson(join(directory, `${stack}.template.json`));
  onlyKnown('section of a template', template, SECTIONS);
  const names = namesOf(template, place);
  const resources = Object.entries(template.Resources)
    .filter(([, { Condition }]) => Condition === undefined || names.condition(Condition))
    .map(([logicalId, raw]) => resourceOf(logicalId, raw, names));
  const folders = assetFolders(directory, stack);
  return {
    place,
    resources,
    of: (type) => resources.filter((resource) => resource.type === type),
    assetFolder: (s3Key) => folders.get(s3Key) ?? unknown('asset', s3Key),
  };
}

function resourceOf(logicalId: string, raw: RawResource, names: Names): Resource {
  onlyKnown(`key of resource ${logicalId}`, raw, RESOURCE_KEYS);
  const type = typeOf(raw.Type);
  onlyKnown(`property of ${raw.Type}`, raw.Properties ?? {}, [
    ...type.properties,
    ...(type.nameProperty === undefined ? [] : [type.nameProperty]),
    'Tags',
  ]);
  return {
    logicalId,
    type: raw.Type,
    name: physicalName(logicalId, raw),
    ref: names.ref(logicalId),
    arn: 'Arn' in type.attributes ? names.attribute(logicalId, 'Arn') : names.ref(logicalId),
    properties: resolve(raw.Properties ?? {}, names) as Properties,
  };
}

const typeOf = (type: string): ResourceType => RESOURCE_TYPES[type] ?? unknown('type of resource', type);

/** Names are made as CloudFormation makes them, of the logical id; those of buckets in small letters. */
function physicalName(logicalId: string, { Type, Properties }: RawResource): string {
  const { nameProperty } = typeOf(Type);
  const given = nameProperty === undefined ? undefined : Properties?.[nameProperty];
  if (typeof given === 'string') return given;
  const ending = createHash('sha256').update(logicalId).digest('hex').slice(0, 8);
  if (Type === 'AWS::KMS::Key') return `${ending}-0000-4000-8000-000000000000`;
  return Type === 'AWS::S3::Bucket' ? `${logicalId.toLowerCase().slice(0, 50)}-${ending}` : logicalId;
}

function namesOf(template: Template, place: Place): Names {
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::AccountId': place.account,
    'AWS::Partition': 'aws',
    'AWS::Region': place.region,
    'AWS::StackName': 'MailAirlock',
    'AWS::URLSuffix': 'amazonaws.com',
  };
  const names: Names = {
    ref(name) {
      const parameter = template.Parameters?.[name];
      const known = pseudo[name] ?? parameter?.Default;
      if (known !== undefined) return known;
      const raw = template.Resources[name] ?? unknown('reference', name);
      return typeOf(raw.Type).ref(physicalName(name, raw), place);
    },
    attribute(resource, attribute) {
      const raw = template.Resources[resource] ?? unknown('reference', resource);
      const make = typeOf(raw.Type).attributes[attribute] ?? unknown(`attribute of ${raw.Type}`, attribute);
      return make(physicalName(resource, raw), place);
    },
    condition(name) {
      return holds(template.Conditions?.[name] ?? unknown('condition', name), names);
    },
  };
  return names;
}

interface Assets {
  readonly files: Readonly<
    Record<
      string,
      { readonly source: { readonly path: string; readonly packaging: string }; readonly destinations: object }
    >
  >;
}

function assetFolders(directory: string, stack: string): Map<string, string> {
  const { files }: Assets = readJson(join(directory, `${stack}.assets.json`));
  return new Map(
    Object.values(files)
      .filter(({ source }) => source.packaging === 'zip')
      .flatMap(({ source, destinations }) =>
        Object.values(destinations).map(({ objectKey }) => [String(objectKey), join(directory, source.path)] as const),
      ),
  );
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
