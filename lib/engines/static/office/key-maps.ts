/**
 * Keys and buttons that a document brings for itself ([MS-OE376] 2.1.1, `wne:tcg`). A key acts when somebody presses it, and starts a command of Word
 * or a macro of the document.
 */
import { decodeMarked } from '../../../formats/charsets/text-encoding.ts';
import { oneOf } from '../../../formats/patterns.ts';
import { type OpenPackage, targetOf } from './package-parts.ts';
import { plainXml } from './plain-xml.ts';

/** The elements for keys. Those for bars with tools lead to a part that is not read, and those for libraries load programs. */
const ELEMENTS = /^(?:tcg|keymaps|keymap|toolbars|acdManifest|acdEntry|acds|acd|macro)$/;
const ELEMENT = /<\/?(?:\w+:)?(\w+)/g;
/** Commands of Word that insert a sign or format a text. */
const COMMAND = new RegExp(
  `^(?:${oneOf('Symbol Style StyleApplyStyle ApplyStyleName Font FontSize FontColor Color Borders Condensed Expanded Lowered Raised')})$`,
);
const BASED_ON = /\s(?:\w+:)?fci\w*\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Returns whether all customizations of a package are such keys. `hasMacros`: there are macros that could act. */
export function areOrdinaryKeys({ parts, relationships, contentTypes }: OpenPackage, hasMacros: boolean): boolean {
  const maps = relationships.filter(({ kind }) => kind === 'keymapcustomizations');
  return (
    maps.length > 0 &&
    ![...contentTypes].some((type) => /attachedtoolbars|webextension/.test(type)) &&
    relationships.every(({ kind }) => !OTHERS.has(kind)) &&
    maps.every((one) => {
      const content = one.isExternal ? undefined : parts.get(targetOf(one));
      return content !== undefined && isOrdinaryMap(content, hasMacros);
    })
  );
}

const OTHERS = new Set([
  'attachedtoolbars',
  'extensibility',
  'usercustomization',
  'webextension',
  'webextensiontaskpanes',
]);

function isOrdinaryMap(content: Uint8Array, hasMacros: boolean): boolean {
  const { text, isUnderstood } = plainXml(decodeMarked(content));
  const names = [...text.replace(/^\uFEFF?<\?xml[^<>]*>/, '').matchAll(ELEMENT)].map(([, name = '']) => name);
  return (
    isUnderstood &&
    names.every((name) => ELEMENTS.test(name)) &&
    !(hasMacros && names.includes('macro')) &&
    [...text.matchAll(BASED_ON)].every(([, one, other]) => COMMAND.test(one ?? other ?? ''))
  );
}
