/** Reads a page: its scripts in order, and its elements as scripts find them. */
import { Parser } from 'htmlparser2';
import { ELEMENTS_PER_PAGE, SCRIPTS_PER_FILE } from './limits.ts';

export interface PageElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

export interface PageScript {
  readonly code: string;
  /** The address of the script; empty for a script in the page itself. */
  readonly src: string;
}

export interface Page {
  readonly title: string;
  readonly elements: readonly PageElement[];
  readonly scripts: readonly PageScript[];
  /** The languages of scripts that are not run here. */
  readonly otherLanguages: readonly string[];
  /** True when the page held more than the limits allow. */
  readonly isCut: boolean;
}

/** Types of script elements that hold data and not code. */
const OTHER_TYPES = /json|template|text\/html|text\/plain|x-handlebars|importmap|speculationrules/i;

/** Reads markup of any quality in linear time. Scripts of other languages are named and not returned. */
export function readPage(markup: string): Page {
  const elements: PageElement[] = [];
  const scripts: PageScript[] = [];
  const otherLanguages = new Set<string>();
  const open: PageElement[] = [];
  let title = '';
  let isCut = false;
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        const element: PageElement = { tag: localName(tag), attributes, text: '' };
        open.push(element);
        if (elements.length < ELEMENTS_PER_PAGE) elements.push(element);
        else isCut = true;
      },
      ontext: (text) => {
        const inner = open.at(-1);
        if (inner) inner.text += text;
      },
      onclosetag: () => {
        const element = open.pop();
        if (element?.tag === 'title') title = element.text.slice(0, 200);
        if (element?.tag !== 'script') return;
        const language = element.attributes.language ?? element.attributes.type ?? '';
        if (/vbs/i.test(language)) otherLanguages.add('VBScript');
        else if (OTHER_TYPES.test(language)) return;
        else if (scripts.length >= SCRIPTS_PER_FILE) isCut = true;
        else
          scripts.push({
            code: element.text,
            src: element.attributes.src ?? element.attributes.href ?? element.attributes['xlink:href'] ?? '',
          });
      },
    },
    { lowerCaseTags: true, lowerCaseAttributeNames: true, recognizeCDATA: true, decodeEntities: true },
  );
  parser.end(markup);
  return { title, elements, scripts, otherLanguages: [...otherLanguages], isCut };
}

const localName = (tag: string) => tag.slice(tag.indexOf(':') + 1);
