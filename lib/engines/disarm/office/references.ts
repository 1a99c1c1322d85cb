/** Judges the references of an element to the relationships of its part. */
import { CLICKED_ELEMENTS, isReference, OUTSIDE_REFERENCES } from './rules.ts';
import type { XmlAttribute, XmlElement } from './xml/element.ts';

/** The relationships of a part, as far as they stay. */
export interface PartReferences {
  /** Ids of the relationships that this part still has. */
  readonly relationships: ReadonlySet<string>;
  /** Those of them that lead out of the document. */
  readonly links: ReadonlySet<string>;
  readonly report: (kind: string, action?: 'removed' | 'sanitized') => void;
}

/** Returns whether an element that loses its reference to a picture outside of the document has another one, to the copy inside. */
export function isOneOfSeveral(element: XmlElement, key: string): boolean {
  const isOther = (other: string | null) => other !== null && other !== key && isReference(other);
  return OUTSIDE_REFERENCES.has(key) && element.attributes.some((each) => isOther(each.key));
}

/** Returns whether a reference may stay: to a part, or from something to click to the web. An empty one refers to nothing. */
export function isKeptReference(element: string, { key, value }: XmlAttribute, context: PartReferences): boolean {
  if (value === '') return true;
  // The removal of the relationship was reported.
  if (!context.relationships.has(value)) return false;
  const isKept = !OUTSIDE_REFERENCES.has(key ?? '') && (CLICKED_ELEMENTS.has(element) || !context.links.has(value));
  if (!isKept) context.report('linked content');
  return isKept;
}
