/** The packages that `npm run packages` makes out of the repository. */

export interface PackageRow {
  /** The folder in `dist/packages`, and the name of its README in `packages/readme`. */
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  /** The entries that users import, each with its source. The package has them and everything that they import. */
  readonly exports: Readonly<Record<string, string>>;
  /** Commands, each with its source. */
  readonly bin: Readonly<Record<string, string>>;
  /** First files of threads and processes. Code finds them by their place, not by an import. */
  readonly threads: readonly string[];
  /** Packages that are put inside: the used part and the declarations. */
  readonly inside: readonly string[];
  /** Packages that it needs. They must be exactly the imports of the compiled files, so that no package is missing or unused. */
  readonly dependencies: readonly string[];
  /** Packages that it uses on platforms that have builds of them. On others it says that they are missing. */
  readonly optionalDependencies: readonly string[];
  /** Packages that the user brings. The range begins at the version that is tested here. */
  readonly peerDependencies: readonly string[];
  /** Exact versions were tested together. A library that many programs share takes newer versions, too. */
  readonly versions: 'exact' | 'compatible';
  /** The meaning of `#name` in this package. It may be another file than in the repository. */
  readonly imports: Readonly<Record<string, string>>;
  /** Whether the bundles of the Lambdas are inside. */
  readonly hasBundles: boolean;
}

const ENGINE_THREADS = ['lib/engines/threads/stored-file-run.ts', 'lib/engines/threads/worker.ts'] as const;

/** Packages that the engines load with the first file that needs them. */
const ENGINE_PACKAGES = [
  '@csstools/css-tokenizer',
  '@jitl/quickjs-wasmfile-release-sync',
  '@libpdf/core',
  '@virustotal/yara-x',
  '@zip.js/zip.js',
  'htmlparser2',
  'officecrypto-tool',
  'pako',
  'parse5',
  'piscina',
  'quickjs-emscripten-core',
  'saxes',
  'tldts',
  'wasmagic',
  'zxing-wasm',
] as const;

/** Large packages for some formats. A user who leaves them out, or has no build of them, is told so for the files that need them. */
const HEAVY_PACKAGES = [
  '7z-wasm',
  '@embedpdf/pdfium',
  '@img/sharp-wasm32',
  'jxl-oxide-wasm',
  'libheif-js',
  'sharp',
] as const;

export const PACKAGES: readonly PackageRow[] = [
  {
    folder: 'client',
    name: '@mail-airlock/client',
    description: 'Client of the Mail Airlock analysis service and of services that speak the same interface',
    keywords: ['malware-analysis', 'content-disarm-and-reconstruction', 'sandbox', 'api-client'],
    exports: { '.': 'lib/service/client/client.ts' },
    bin: {},
    threads: [],
    inside: ['zod'],
    dependencies: ['undici'],
    optionalDependencies: [],
    peerDependencies: [],
    versions: 'compatible',
    imports: {},
    hasBundles: false,
  },
  {
    folder: 'fake',
    name: '@mail-airlock/fake',
    description:
      'A Mail Airlock analysis service for your tests: in the process, without a port, with what it finds by scenario',
    keywords: ['malware-analysis', 'testing', 'fake', 'mock'],
    exports: { '.': 'lib/service/fake/fake-service.ts' },
    bin: {},
    threads: [],
    inside: ['@zip.js/zip.js', 'hono', 'tlds', 'zod'],
    dependencies: ['undici'],
    optionalDependencies: [],
    peerDependencies: [],
    versions: 'compatible',
    imports: {},
    hasBundles: false,
  },
  {
    folder: 'engines',
    name: '@mail-airlock/engines',
    description:
      'Disarms and analyses hostile files and links in worker threads: documents, pictures, archives, scripts, URLs',
    keywords: ['content-disarm-and-reconstruction', 'cdr', 'malware-analysis', 'yara', 'sandbox', 'disarm'],
    exports: { '.': 'lib/engines/library.ts' },
    bin: {},
    threads: ENGINE_THREADS,
    inside: [],
    dependencies: ENGINE_PACKAGES,
    optionalDependencies: HEAVY_PACKAGES,
    peerDependencies: [],
    versions: 'exact',
    imports: {},
    hasBundles: false,
  },
  {
    folder: 'mail-airlock',
    name: 'mail-airlock',
    description:
      'Takes hostile email apart, analyses and disarms its attachments and links, and rebuilds a message that is safe to open',
    keywords: ['email', 'email-security', 'malware-analysis', 'phishing', 'content-disarm-and-reconstruction', 'cdr'],
    exports: { '.': 'lib/local/cli.ts' },
    bin: { 'mail-airlock': 'bin/airlock.ts', airlock: 'bin/airlock.ts' },
    threads: [
      ...ENGINE_THREADS,
      'lib/engines/returned/worker.ts',
      'lib/formats/archives/worker.ts',
      'lib/formats/codes/worker.ts',
      'lib/formats/signed/worker.ts',
      'lib/local/gateway/judge-process.ts',
    ],
    inside: [],
    dependencies: [
      ...ENGINE_PACKAGES,
      '@aws-sdk/client-dynamodb',
      '@aws-sdk/client-lambda',
      '@aws-sdk/client-s3',
      '@aws-sdk/client-sqs',
      '@hono/node-server',
      'cli-progress',
      'commander',
      'hono',
      'linkify-it',
      'mailparser',
      'nodemailer',
      'openpgp',
      'pg',
      'pkijs',
      'preact',
      'smtp-server',
      'string-width',
      'tlds',
      'undici',
      'zod',
    ],
    // A native program that not every platform has.
    optionalDependencies: [...HEAVY_PACKAGES, 'libsql'],
    peerDependencies: [],
    versions: 'exact',
    imports: { '#markup/jsx-runtime': 'lib/service/server/markup/jsx-runtime.ts' },
    hasBundles: false,
  },
  {
    folder: 'cdk',
    name: '@mail-airlock/cdk',
    description:
      'Mail Airlock as a construct of the AWS CDK: a bucket for hostile mail, a bucket for mail that is safe to open',
    keywords: ['aws-cdk', 'email-security', 'content-disarm-and-reconstruction', 'malware-analysis', 'step-functions'],
    exports: { '.': 'lib/infra/library.ts' },
    bin: {},
    threads: [],
    inside: [],
    dependencies: ['zod'],
    optionalDependencies: [],
    peerDependencies: ['aws-cdk-lib', 'constructs'],
    versions: 'exact',
    imports: { '#bundles': 'lib/infra/bundling/prebuilt.ts' },
    hasBundles: true,
  },
];
