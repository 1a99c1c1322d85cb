/** Documents of LibreOffice Base: a database inside of them with nothing but tables is a fact, and any other is suspicious. */
import { describe, expect, test } from 'vitest';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

const HEAD = [
  'SET DATABASE COLLATION "Latin1_General"',
  'CREATE SCHEMA PUBLIC AUTHORIZATION DBA',
  'CREATE CACHED TABLE "Staff"("ID" INTEGER NOT NULL PRIMARY KEY,"Name" VARCHAR(50))',
  `SET TABLE "Staff" INDEX'32 2'`,
  'CREATE USER SA PASSWORD ""',
  'GRANT DBA TO SA',
  'SET WRITE_DELAY 60',
];
const LOG = [
  '/*C1*/SET SCHEMA PUBLIC',
  'CONNECT USER SA',
  `INSERT INTO "Staff" VALUES(1,'Ana; call a.b "c.d"')`,
  'COMMIT',
];

interface Base {
  readonly script?: readonly string[];
  readonly log?: readonly string[];
  readonly address?: string;
  readonly query?: string;
  readonly parts?: Readonly<Record<string, string>>;
}

function base({
  script = HEAD,
  log = LOG,
  address = 'sdbc:embedded:hsqldb',
  query = '',
  parts = {},
}: Base): Uint8Array {
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:db="urn:oasis:names:tc:opendocument:xmlns:database:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:database><db:data-source><db:connection-data><db:connection-resource xlink:href="${address}"/></db:connection-data></db:data-source><db:queries><db:query db:name="a" db:command="${query}"/></db:queries></office:database></office:body></office:document-content>`;
  return zipOf({
    mimetype: 'application/vnd.oasis.opendocument.base',
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
    'content.xml': content,
    'database/properties': 'version=1.8.0',
    'database/data': 'data',
    'database/script': script.join('\n'),
    'database/log': log.join('\n'),
    ...parts,
  });
}

describe('a database inside a document', () => {
  test.each<readonly [string, Base]>([
    ['only tables', {}],
    [
      'a view and a key',
      {
        script: [
          ...HEAD,
          'CREATE VIEW "Names" ("Name") AS SELECT "Name" FROM "Staff"',
          'ALTER TABLE "Staff" ADD CONSTRAINT C1 UNIQUE("Name")',
        ],
      },
    ],
    ['a query', { query: 'SELECT COUNT(&quot;ID&quot;) FROM &quot;Staff&quot;' }],
  ])('with %s is a fact', async (_, one) => {
    expect(await verdictOn(base(one), 'a.odb')).toBe('unknown office-data-connection');
  });

  test.each<readonly [string, Base]>([
    ['an address elsewhere', { address: 'jdbc:mysql://load.example/a' }],
    ['a function of Java by another name', { script: [...HEAD, 'CREATE ALIAS A FOR "java.lang.System.exit"'] }],
    [
      'a function of Java in a view',
      { script: [...HEAD, 'CREATE VIEW "A" ("B") AS SELECT "java.lang.System.getProperty"(\'a\') FROM "Staff"'] },
    ],
    ['a function of Java in a row', { log: ['INSERT INTO "Staff" VALUES("java.lang.Math.random"(),\'a\')'] }],
    ['a function of Java in a query', { query: 'SELECT &quot;java.lang.System.exit&quot;(1)' }],
    ['a table that is a file', { script: [...HEAD, 'SET TABLE "Staff" SOURCE "a.csv"'] }],
    ['a table of text', { script: [...HEAD, 'CREATE TEXT TABLE "A"("B" INTEGER)'] }],
    ['a trigger', { script: [...HEAD, 'CREATE TRIGGER A AFTER INSERT ON "Staff" CALL "org.example.A"'] }],
    ['a command that writes a file', { log: ["SCRIPT 'a.txt'"] }],
    ['two statements in a line', { log: ["COMMIT;SCRIPT 'a.txt'"] }],
    ['a second statement behind a text', { log: [`INSERT INTO "Staff" VALUES(1,'a');CALL "a"()`] }],
    ['a text without an end', { log: [`INSERT INTO "Staff" VALUES(1,'a);SCRIPT "b"`] }],
    ['a part that nobody knows', { parts: { 'database/a.jar': 'PK' } }],
    ['no statements', { parts: { 'database/script': 'CREATE' } }],
  ])('with %s is suspicious', async (_, one) => {
    expect(await verdictOn(base(one), 'a.odb')).toMatch(/^suspicious .*office-data-connection/);
  });
});
