import { describe, expect, test } from 'vitest';
import { disarmed, refusalCode } from './run-disarm.ts';

const xml = (body: string, prolog = '<?xml version="1.0" encoding="UTF-8"?>') => `${prolog}\n${body}`;

test.each([
  [
    'an invoice',
    xml('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID a="1">x &amp; y</ID></Invoice>'),
  ],
  ['comments and character data', xml('<data><!-- note --><![CDATA[<b>]]></data>')],
  ['Latin text', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><data>\xe4</data>', 'latin1')],
])('%s is delivered unchanged', async (_, document) => {
  const { outcome, bytes } = await disarmed(document, 'a.xml');
  expect(outcome).toBe('already_safe');
  expect(Buffer.compare(bytes, Buffer.from(document as string))).toBe(0);
});

test.each([
  ['the address of a document type', '<!DOCTYPE a SYSTEM "file:///etc/passwd">', 'document type declaration'],
  ['a public document type', "<!DOCTYPE a PUBLIC '-//A//B' 'a.dtd'>", 'document type declaration'],
  ['a style sheet behind a comment', '<?xml-stylesheet type="text/xsl" href="a.xsl"?>', 'style sheet'],
])('%s is removed, and nothing else is', async (_, markup, kind) => {
  const document = (cut: string) => xml(`<!-- note -->\n${cut}<data>x &amp; y</data>\n`);
  const { outcome, text, kinds } = await disarmed(document(markup), 'a.xml');
  expect({ outcome, text, kinds }).toEqual({ outcome: 'disarmed', text: document(''), kinds: [kind] });
  expect((await disarmed(text, 'a.xml')).outcome).toBe('already_safe');
});

test.each([
  ['a document type with rules of its own', xml('<!DOCTYPE a [<!ELEMENT a ANY>]><a/>'), 'unsupported'],
  ['two document types', xml('<!DOCTYPE a><a/><!DOCTYPE b>'), 'unreadable'],
  ['a style sheet further in', xml('<a><?xml-stylesheet href="a.xsl"?></a>'), 'unsupported'],
  ['an entity bomb', xml('<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a>&z;</a>'), 'unsupported'],
  ['an Office document', xml('<?mso-application progid="Word.Document"?><a/>'), 'unsupported'],
  [
    'a Word 2003 document without a body',
    xml('<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>'),
    'unreadable',
  ],
  ['a page in data', xml('<a xmlns:h="http://www.w3.org/1999/xhtml"><h:script>x</h:script></a>'), 'unsupported'],
  ['an include', xml('<a><x:include xmlns:x="http://www.w3.org/2001/XInclude" href="b"/></a>'), 'unsupported'],
  ['a scheduled task', xml('<Task><Exec/></Task>'), 'unsupported'],
  ['an unknown entity', xml('<data>&b;</data>'), 'unreadable'],
  ['broken markup', xml('<data><b></data>'), 'unreadable'],
  ['two roots', xml('<data/><b/>'), 'unreadable'],
  ['an encoding that hides markup', xml('<data/>', '<?xml version="1.0" encoding="UTF-7"?>'), 'unreadable'],
  ['deep nesting', xml(`${'<data>'.repeat(300)}${'</data>'.repeat(300)}`), 'oversize'],
])('%s is refused', async (_, document, code) => {
  expect(await refusalCode(document, 'a.xml')).toBe(code);
});

describe('without its declaration', () => {
  test.each([
    ['a page in data', '<data xmlns:h="http://www.w3.org/1999/xhtml"><h:script>x</h:script></data>'],
    [
      'a style sheet',
      '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><ms:script xmlns:ms="urn:schemas-microsoft-com:xslt">x</ms:script></xsl:stylesheet>',
    ],
    ['a project', '<Project><Target/></Project>'],
  ])('%s is refused, whatever it is called', async (_, document) => {
    for (const name of ['a.xml', 'a', 'a.bin']) expect(await refusalCode(document, name)).toBe('unsupported');
  });

  test('a drawing loses its code', async () => {
    const { text } = await disarmed(
      '<svg xmlns="http://www.w3.org/2000/svg" onload="LIVE"><path d="M0 0"/></svg>',
      'a.xml',
    );
    expect(text).not.toContain('LIVE');
  });

  test('data is delivered unchanged', async () => {
    expect(await disarmed('<order><id>1</id></order>', 'a.xml')).toMatchObject({
      outcome: 'already_safe',
      extension: 'xml',
    });
  });
});
