/**
 * The entities that a drawing declares for itself. Adobe Illustrator declares short names for its name spaces in this way, and older
 * versions for their styles. Only plain text is inserted for them. An entity with markup, other entities or an address of a file stays
 * unknown, so a drawing that uses it is refused.
 */
import { EngineError } from '../../engine.ts';

/** A comment, in which nothing is declared, or an entity whose text has no markup and no reference. */
const PLAIN_ENTITY = /<!--[\s\S]*?(?:-->|$)|<!ENTITY\s+([A-Za-z_][\w.-]{0,60})\s+(?:"([^"<>&%]*)"|'([^'<>&%]*)')\s*>/g;
/** The most text that is inserted into one drawing. The attack is a text of a megabyte that is used a million times. */
const MAX_CHARACTERS = 1_000_000;

/** Adds the plain entities of a document type to those that a parser knows. The first declaration of a name counts, as in XML. */
export function addPlainEntities(untrustedDoctype: string, known: Record<string, string>): void {
  let characters = 0;
  for (const [, name, quoted, apostrophed] of untrustedDoctype.matchAll(PLAIN_ENTITY)) {
    const text = quoted ?? apostrophed;
    if (name === undefined || text === undefined || name in known) continue;
    Object.defineProperty(known, name, {
      get: () => {
        characters += text.length;
        if (characters > MAX_CHARACTERS) throw new EngineError('oversize', 'the drawing repeats a text too often');
        return text;
      },
    });
  }
}
