const compiled = new Map<string, RegExp>();

/** IAM's wildcards: `*` is any text, `?` any one character. With case, as in resources. */
export function matches(text: string, pattern: string): boolean {
  if (!/[*?]/.test(pattern)) return text === pattern;
  const known = compiled.get(pattern);
  if (known) return known.test(text);
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const made = new RegExp(`^${source}$`, 's');
  compiled.set(pattern, made);
  return made.test(text);
}

/** The same for actions, whose case does not count. */
export function matchesAction(action: string, pattern: string): boolean {
  return matches(action.toLowerCase(), pattern.toLowerCase());
}
