/** The grammar of a MIME message, production by production, with every deviation from each: the table that mails are generated from. */
import { PARAMETERS } from './boundary-parameters.ts';
import { type Deviation, junkBefore, tokenChanges } from './deviation.ts';
import { CONTENT } from './encoding-labels.ts';
import type { Tokens } from './mail-tokens.ts';
import { FIELDS } from './odd-fields.ts';
import { STRUCTURE } from './structure-deviations.ts';

const fieldTokens = (id: string, dashes: number) => [
  ...Array.from({ length: dashes * 2 + 1 }, (_, at) => `${id}.name${at}`),
  `${id}.colon`,
  `${id}.space`,
];
const paramTokens = (id: string) =>
  ['semicolon', 'gap', 'attribute', 'equals', 'open', 'close'].map((token) => `${id}.${token}`);

/** Tokens of each production: every gap in front of one gets every junk, and each is missing, repeated and respelled. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  'field of the version': [...fieldTokens('version', 1), 'version.value', 'version.end'],
  'field of the container': [...fieldTokens('type', 1), 'type.type', 'type.slash', 'type.subtype', 'type.end'],
  'boundary parameter': paramTokens('type'),
  'end of the header': ['blank', 'preamble'],
  'first delimiter': ['one.dashes', 'one.boundary', 'one.end'],
  'delimiter of the file': ['two.dashes', 'two.boundary', 'two.end'],
  'closing delimiter': ['end.dashes', 'end.boundary', 'end.closing', 'end.end'],
  'field of the file': [
    ...fieldTokens('file', 1),
    'file.type',
    'file.slash',
    'file.subtype',
    ...paramTokens('file'),
    'file.value',
    'file.end',
  ],
  'field of the encoding': [...fieldTokens('encoding', 2), 'encoding.value', 'encoding.end'],
  'field of the place': [...fieldTokens('place', 1), 'place.value', ...paramTokens('place'), 'place.name', 'place.end'],
  'end of the header of the file': ['file.blank'],
};

const LINE_ENDS: readonly Deviation[] = Object.entries({
  'bare LF': '\n',
  'bare CR': '\r',
  'LF CR': '\n\r',
  'CR CR LF': '\r\r\n',
  'CR LF LF': '\r\n\n',
}).flatMap(([name, text]) => [
  {
    name: `${name} everywhere`,
    production: 'line ends',
    apply: (tokens: Tokens) => {
      for (const token of tokens.values()) token.text = token.text.replaceAll('\r\n', text);
    },
  },
  {
    name: `${name} in headers`,
    production: 'line ends',
    apply: (tokens: Tokens) => {
      for (const token of tokens.values())
        if (/^(?:version|type|file|encoding|place|text)\.end$/.test(token.id)) token.text = text;
    },
  },
]);

/** Every deviation there is. */
export const DEVIATIONS: readonly Deviation[] = [
  ...Object.entries(TOKENS).flatMap(([production, ids]) =>
    ids.flatMap((id) => [...junkBefore(production, id), ...tokenChanges(production, id)]),
  ),
  ...junkBefore('body', 'file.body'),
  ...PARAMETERS,
  ...FIELDS,
  ...CONTENT,
  ...STRUCTURE,
  ...LINE_ENDS,
];
