/** Connections of workbooks and sources of letters: one near by that only reads rows is a fact, and any other is suspicious. */
import { describe, expect, test } from 'vitest';
import { wordDocument } from '../office-fixture.ts';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const withPart = (name: string, content: string | Buffer, kind = 'connections', isQueried = true) =>
  zipOf({
    '[Content_Types].xml':
      '<Types xmlns="x"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}"><sheets/></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${OFFICE}/${kind}" Target="${name}"/></Relationships>`,
    ...(isQueried && {
      'xl/queryTables/queryTable1.xml': `<queryTable xmlns="${MAIN}" connectionId="1"/>`,
      'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships><Relationship Id="r1" Type="${OFFICE}/queryTable" Target="../queryTables/queryTable1.xml"/></Relationships>`,
    }),
    [`xl/${name}`]: typeof content === 'string' ? content : { content },
  });

const connections = (...all: readonly string[]) =>
  verdictOn(withPart('connections.xml', `<connections xmlns="${MAIN}">${all.join('')}</connections>`), 'a.xlsx');
const database = (connection: string, command = 'SELECT Name FROM Staff', more = '') =>
  `<connection id="1" name="a" type="5" ${more}><dbPr connection="${connection}" command="${command}"/></connection>`;

describe('a connection of a workbook', () => {
  test.each([
    ['a source that its user has given a name', database('DSN=Sales;')],
    [
      'a database in the network of the sender',
      database('Provider=SQLOLEDB.1;Data Source=SRV01\\SQL;Initial Catalog=Sales'),
    ],
    [
      'a workbook on a drive',
      database('Provider=Microsoft.ACE.OLEDB.12.0;Data Source=C:\\a\\b.xlsx;Extended Properties=&quot;HDR=YES;&quot;'),
    ],
    [
      'a database by its driver',
      database('DRIVER={SQL Server};SERVER=SRV01;DATABASE=Sales', 'SELECT count(a) FROM b WHERE c IN (1, 2)'),
    ],
    ['a whole table', database('DSN=Sales;', '&quot;Sales&quot;.&quot;dbo&quot;.&quot;Orders&quot;')],
    ['a text on a drive', '<connection id="1" type="6"><textPr sourceFile="D:\\a.csv"/></connection>'],
    [
      'a query with conditions and quoted names',
      database('DSN=Sales;', "SELECT a.`Days (all)`, if(b=0,0,c) AS 'Rate (1,000)' FROM (SELECT * FROM d) a"),
    ],
    ['nothing any more', database('', '', 'deleted="1"')],
  ])('to %s is a fact', async (_, xml) => {
    expect(await connections(xml)).toBe('unknown office-data-connection');
  });

  test.each([
    ['leads to a page', '<connection id="1" type="4"><webPr url="https://load.example/a"/></connection>'],
    [
      'writes the address with numbers',
      '<connection id="1" type="4"><webPr url="&#x68;ttp://load.example/a"/></connection>',
    ],
    ['has a prefix', `<x:connection xmlns:x="${MAIN}" id="1"><x:webPr url='https://load.example/a'/></x:connection>`],
    ['sends something', '<connection id="1" type="4"><webPr url="C:\\a.htm" post="a=1"/></connection>'],
    ['leads to a text elsewhere', '<connection id="1"><textPr sourceFile="\\\\load.example\\a\\b.csv"/></connection>'],
    ['has its settings elsewhere', database('DSN=a;', 'SELECT a FROM b', 'odcFile="https://load.example/a.odc"')],
    ['leads to a database elsewhere', database('Provider=SQLOLEDB.1;Data Source=load.example;')],
    ['names the protocol of the database', database('Provider=SQLOLEDB.1;Data Source=tcp:load.example,1433;')],
    [
      'leads to a workbook elsewhere',
      database('Provider=Microsoft.ACE.OLEDB.12.0;Data Source=\\\\load.example\\a\\b.xlsx'),
    ],
    [
      'takes the rows from Power Query',
      database('Provider=Microsoft.Mashup.OleDb.1;Data Source=$Workbook$;Location=a'),
    ],
    ['takes them from any program', database('Provider=MSPersist;Data Source=C:\\a.xml')],
    ['takes them from a page by a provider', database('Provider=MSDAIPP.DSO;Data Source=http://load.example')],
    ['hides a second word in quotes', database('DSN=a;Description=&quot;b;&quot;;Server=load.example')],
    ['has a word that nobody knows', database('DSN=a;Remote Provider=b;')],
    ['has a driver that nobody knows', database('DRIVER={Any};SERVER=SRV01')],
    ['asks when the workbook is opened', database('DSN=a;', 'SELECT a FROM b', 'refreshOnLoad="1"')],
    ['asks again and again', database('DSN=a;', 'SELECT a FROM b', 'interval="1"')],
    ['runs a command', database('DSN=a;', 'EXEC master..xp_cmdshell &apos;calc&apos;')],
    ['runs one behind the rows', database('DSN=a;', 'SELECT 1; EXEC b')],
    ['calls a function', database('DSN=a;', 'SELECT Shell(&apos;calc&apos;)')],
    ['reads another place', database('DSN=a;', 'SELECT a FROM b IN &apos;\\\\load.example\\c.mdb&apos;')],
    ['reads another place in brackets', database('DSN=a;', 'SELECT a FROM [Text;DATABASE=C:\\].[a#txt]')],
    ['writes a table', database('DSN=a;', 'SELECT a INTO b FROM c')],
    ['opens rows of elsewhere', database('DSN=a;', 'SELECT * FROM OPENROWSET(a)')],
  ])('that %s is suspicious', async (_, xml) => {
    expect(await connections(xml)).toMatch(/^suspicious .*office-data-connection/);
    // An ordinary one beside it changes nothing.
    expect(await connections(database('DSN=Sales;'), xml)).toMatch(/^suspicious /);
  });

  test.each([
    [
      'that is written in records, as binary workbooks have it',
      withPart('connections.bin', Buffer.from('adc30100', 'hex')),
    ],
    ['that has a DTD', withPart('connections.xml', '<!DOCTYPE a [<!ENTITY b "http://load.example">]><connections/>')],
    [
      'whose query hides a call behind an escaped quote',
      withPart(
        'connections.xml',
        `<connections>${database('DSN=Sales;', "SELECT 'a\\'' , shell('calc') FROM b")}</connections>`,
      ),
    ],
    [
      'whose query calls between quoted names',
      withPart(
        'connections.xml',
        `<connections>${database('DSN=Sales;', 'SELECT `a`, load_file(`b`) FROM c')}</connections>`,
      ),
    ],
    ['that is not there', withPart('connections.xml', '<other/>')],
  ])('%s is suspicious', async (_, bytes) => {
    expect(await verdictOn(bytes, 'a.xlsx')).toMatch(/^(?:suspicious|failed)/);
  });
});

describe('the source of a letter', () => {
  const letter = (parts: string, source = 'file:///C:\\a\\list.xlsx') =>
    verdictOn(
      wordDocument({
        relationships: [['mailMergeSource', source, true]],
        parts: { 'word/settings.xml': `<w:settings xmlns:w="w"><w:mailMerge>${parts}</w:mailMerge></w:settings>` },
      }),
      'a.docx',
    );
  const near = 'Provider=Microsoft.ACE.OLEDB.12.0;Data Source=C:\\a\\list.xlsx;Mode=Read;';
  const text = (connection: string, query: string) =>
    `<w:connectString w:val="${connection}"/><w:query w:val="${query}"/><w:odso><w:udl w:val="${connection}"/></w:odso>`;

  test('on a drive is a fact', async () => {
    expect(await letter(text(near, 'SELECT * FROM `Sheet1$`'))).toBe('unknown office-data-connection');
    expect(await letter(text('Entire Spreadsheet', 'SELECT * FROM C:\\a\\list.xlsx'))).toBe(
      'unknown office-data-connection',
    );
  });

  test.each([
    ['on a drive', 'SELECT * FROM R:\\a\\b.xlsx WHERE ((c IS NOT NULL) AND (d = #28.01.2015#))', 'unknown'],
    ['elsewhere', 'SELECT * FROM \\\\load.example\\a\\b.xlsx', 'suspicious'],
    ['that runs a command', 'SELECT Shell(&quot;calc&quot;) FROM a', 'suspicious'],
  ])('that no relationship names, %s, is %s', async (_, query, level) => {
    const merge = `<w:mailMerge>${text('Entire Spreadsheet', query).replace(/<w:odso>.*/, '')}</w:mailMerge>`;
    const parts = { 'word/settings.xml': `<w:settings xmlns:w="w">${merge}</w:settings>` };
    expect(await verdictOn(wordDocument({ parts }), 'a.docx')).toBe(`${level} office-data-connection`);
  });

  test.each([
    ['elsewhere', letter(text(near, 'SELECT * FROM a'), 'https://load.example/list.xlsx')],
    ['elsewhere by its connection', letter(text('Provider=SQLOLEDB;Data Source=load.example', 'SELECT * FROM a'))],
    ['that runs a command', letter(text(near, 'SELECT Shell(&quot;calc&quot;) FROM a'))],
    ['in a file of elsewhere', letter(text(near, 'SELECT * FROM \\\\load.example\\a\\list.xlsx'))],
  ])('%s is suspicious', async (_, verdict) => {
    expect(await verdict).toMatch(/^suspicious .*office-data-connection/);
  });
});
