import { expect, test } from 'vitest';
import { disarmed, refusalCode } from './run-disarm.ts';

const xml = (body: string, prolog = '<?xml version="1.0" encoding="UTF-8"?>') => `${prolog}\n${body}`;

test.each([
  [
    'an invoice',
    xml('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID a="1">x &amp; y</ID></Invoice>'),
  ],
  ['comments and character data', xml('<data><!-- note --><![CDATA[<b>]]></data>')],
  ['Latin text', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><data>\xe4</data>', 'latin1')],
])('%s is delivered as it is', async (_, document) => {
  const { outcome, bytes } = await disarmed(document, 'a.xml');
  expect(outcome).toBe('already_safe');
  expect(Buffer.compare(bytes, Buffer.from(document as string))).toBe(0);
});

test.each([
  ['a document type', xml('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'), 'unsupported'],
  ['an entity bomb', xml('<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a>&z;</a>'), 'unsupported'],
  ['a style sheet', xml('<?xml-stylesheet type="text/xsl" href="a.xsl"?><a/>'), 'unsupported'],
  ['an Office document', xml('<?mso-application progid="Word.Document"?><a/>'), 'unsupported'],
  [
    'an Office document without its mark',
    xml('<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>'),
    'unsupported',
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
