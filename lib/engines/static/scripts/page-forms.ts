/** Forms of a page that ask for a password and send it to a named host. */
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import type { XmlElement } from './xml-elements.ts';

export interface Forms {
  password: boolean;
  /** The host to which a form sends. */
  remote: string | null;
  isRelative: boolean;
  /** The host of the page's base address. */
  base: string | null;
  /** True when a field is already filled with an email address. */
  hasAddress: boolean;
}

const NAMED_HOST = /^(?:https?:)?\/\//i;
const PASSWORD_NAME = /^(?:e?mail)?[_-]?(?:pass(?:wd|word|wort)?|pwd|psw|senha|clave|contrase\S{1,3}a|motdepasse)\d?$/i;
const ADDRESS = /^[^\s@]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i;

/** Judges forms that send a password to a named host. Nobody has to mail a page that belongs to that host. */
export function judgeForms({ password, remote, isRelative, base, hasAddress }: Forms): Finding[] {
  const target = remote ?? (isRelative ? base : null);
  return [
    ...(password && target !== null ? [finding('html-credential-form', null, target)] : []),
    ...(password && hasAddress ? [finding('html-knows-reader')] : []),
  ];
}

/** Notes the properties of an element that matter for the forms of its page. */
export function observeForm({ tagName, attrs }: Pick<XmlElement, 'tagName' | 'attrs'>, forms: Forms): void {
  const value = (name: string) => attrs.find((attribute) => attribute.name === name)?.value.trim() ?? '';
  if (tagName === 'base' && NAMED_HOST.test(value('href'))) forms.base ??= value('href');
  if (tagName === 'input') {
    const type = value('type').toLowerCase();
    const isTyped = type === '' || type === 'text';
    if (type === 'password' || (isTyped && PASSWORD_NAME.test(value('name')))) forms.password = true;
    if (ADDRESS.test(value('value'))) forms.hasAddress = true;
  }
  if (tagName !== 'form') return;
  if (NAMED_HOST.test(value('action'))) forms.remote ??= value('action');
  else forms.isRelative = true;
}
