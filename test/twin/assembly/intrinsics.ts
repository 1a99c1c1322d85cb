/** Resolves what CloudFormation resolves: Ref, Fn::GetAtt, Fn::Sub, Fn::Join, Fn::If and a few more. Refuses every other function. */
import { unknown } from './refuse.ts';

export interface Names {
  /** What `Ref` gives for a resource, a parameter or a pseudo parameter. */
  ref(name: string): string;
  /** What `Fn::GetAtt` gives. */
  attribute(resource: string, attribute: string): string;
  /** Whether a condition of the template holds. */
  condition(name: string): boolean;
}

const NO_VALUE = Symbol('AWS::NoValue');

/** The value with all functions resolved. Throws UnknownToTwinError. */
export function resolve(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((one) => resolve(one, names)).filter((one) => one !== NO_VALUE);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first && isFunction(first[0])) return applied(first[0], first[1], names);
  const resolved = entries.map(([key, one]) => [key, resolve(one, names)] as const);
  return Object.fromEntries(resolved.filter(([, one]) => one !== NO_VALUE));
}

/** `Condition` is a function only inside of conditions; in a policy it is a key like any other. */
const isFunction = (name: string) => name === 'Ref' || name.startsWith('Fn::');

function applied(name: string, argument: unknown, names: Names): unknown {
  const list = () => (Array.isArray(argument) ? argument : unknown(`argument of ${name}`, argument));
  const text = (one: unknown) => {
    const found = resolve(one, names);
    return typeof found === 'string' || typeof found === 'number' ? String(found) : unknown(`text in ${name}`, found);
  };
  switch (name) {
    case 'Ref':
      return argument === 'AWS::NoValue' ? NO_VALUE : names.ref(String(argument));
    case 'Fn::GetAtt': {
      const [resource, ...rest] = typeof argument === 'string' ? argument.split('.') : list().map(String);
      return names.attribute(String(resource), rest.join('.'));
    }
    case 'Fn::Join': {
      const [separator, parts] = list();
      return (resolve(parts, names) as unknown[]).map(text).join(String(separator));
    }
    case 'Fn::Sub':
      return substituted(argument, names);
    case 'Fn::If': {
      const [condition, yes, no] = list();
      return resolve(names.condition(String(condition)) ? yes : no, names);
    }
    case 'Fn::Select': {
      const [index, from] = list();
      return (resolve(from, names) as unknown[])[Number(text(index))];
    }
    case 'Fn::Split': {
      const [separator, from] = list();
      return text(from).split(String(separator));
    }
    case 'Fn::GetAZs':
      return ['a', 'b', 'c'].map((zone) => `${names.ref('AWS::Region')}${zone}`);
    default:
      return unknown('intrinsic function', { [name]: argument });
  }
}

function substituted(argument: unknown, names: Names): string {
  const [template, own] = Array.isArray(argument) ? argument : [argument, {}];
  if (typeof template !== 'string') return unknown('argument of Fn::Sub', argument);
  const given = resolve(own, names) as Record<string, unknown>;
  return template.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal !== '') return `\${${name}}`;
    if (name in given) return String(given[name]);
    const [resource = '', ...rest] = name.split('.');
    return rest.length > 0 ? names.attribute(resource, rest.join('.')) : names.ref(name);
  });
}

/** Whether a condition of a template holds. Throws UnknownToTwinError. */
export function holds(condition: unknown, names: Names): boolean {
  const [[name, argument] = [], ...others] = Object.entries(condition as object);
  if (others.length > 0) unknown('condition', condition);
  const list = argument as unknown[];
  switch (name) {
    case 'Fn::Equals':
      return resolve(list[0], names) === resolve(list[1], names);
    case 'Fn::Or':
      return list.some((one) => holds(one, names));
    case 'Fn::And':
      return list.every((one) => holds(one, names));
    case 'Fn::Not':
      return !holds(list[0], names);
    case 'Condition':
      return names.condition(String(argument));
    default:
      return unknown('condition', condition);
  }
}
