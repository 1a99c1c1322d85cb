/** Content that stays when the elements around it are removed. */
import { isElement, type XmlElement, type XmlNode } from './xml/element.ts';

/**
 * Gives elements the namespace declarations of the removed elements around them, outermost first. Without them a prefix would mean
 * something else, or nothing.
 */
export function carryNamespaces(around: readonly XmlElement[], nodes: readonly XmlNode[]): readonly XmlNode[] {
  const declared = new Map(
    around.flatMap(({ attributes }) =>
      attributes.filter(({ key }) => key?.startsWith('xmlns:')).map((each) => [each.name, each] as const),
    ),
  );
  if (declared.size === 0) return nodes;
  return nodes.map((node) => {
    if (!isElement(node)) return node;
    const own = new Set(node.attributes.map(({ name }) => name));
    return {
      ...node,
      attributes: [...node.attributes, ...[...declared.values()].filter(({ name }) => !own.has(name))],
    };
  });
}

/** Returns the elements from this one down to the first of a key, both included; null when there is none. */
export function findWithin(element: XmlElement, key: string): readonly XmlElement[] | null {
  if (element.key === key) return [element];
  for (const child of element.children) {
    const path = isElement(child) ? findWithin(child, key) : null;
    if (path !== null) return [element, ...path];
  }
  return null;
}
