import { hasPropertyPrefix, normalKey } from '../key-names.ts';
import { originOf, type PropertySource } from './property-source.ts';

/** A deeper nesting means that a property refers to itself. */
const MAX_DEPTH = 20;

/**
 * Fills in `${name}` and `${name:default}` in values of files and of the application: by another property, in any
 * spelling, or by a variable of the environment. Defaults may contain placeholders themselves; `\${` is
 * the text `${`. Placeholders in variables and secret files are not resolved.
 *
 * @returns the sources, and a sentence for each value that cannot be filled in
 */
export function resolvePlaceholders(
  sources: readonly PropertySource[],
  variables: Readonly<Record<string, string>>,
): { readonly sources: readonly PropertySource[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const lookUp = lookUpIn(sources, variables);
  const resolved = sources.map((source) => {
    if (!hasPlaceholders(source)) return source;
    const values = Object.entries(source.values).map(([key, text]): [string, string] => {
      if (!hasPropertyPrefix(key) || !text.includes('${')) return [key, text];
      try {
        return [key, fill(text, lookUp, 0)];
      } catch (error) {
        if (!(error instanceof PlaceholderProblem)) throw error;
        problems.push(`${key}: ${error.message} (${originOf(source, key)})`);
        return [key, ''];
      }
    });
    return { ...source, values: Object.fromEntries(values) };
  });
  return { sources: resolved, problems };
}

const hasPlaceholders = ({ kind, isSecret }: PropertySource): boolean => kind !== 'environment' && isSecret !== true;

class PlaceholderProblem extends Error {}

type LookUp = (name: string) => { readonly text: string; readonly literal: boolean } | undefined;

/** Later sources first; the name of a property outside of `svc.*` must match exactly. */
function lookUpIn(sources: readonly PropertySource[], variables: Readonly<Record<string, string>>): LookUp {
  return (name) => {
    const isOurs = hasPropertyPrefix(name);
    const wanted = normalKey(name);
    for (const source of sources.toReversed()) {
      const key = isOurs
        ? Object.keys(source.values).find((other) => hasPropertyPrefix(other) && normalKey(other) === wanted)
        : name;
      const text = key === undefined ? undefined : source.values[key];
      if (text !== undefined) return { text, literal: !hasPlaceholders(source) };
    }
    const text = variables[name];
    return text === undefined ? undefined : { text, literal: true };
  };
}

function fill(text: string, lookUp: LookUp, depth: number): string {
  if (depth > MAX_DEPTH) throw new PlaceholderProblem('its placeholders lead back to itself');
  let result = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('${', at);
    if (open < 0) return result + text.slice(at);
    if (text[open - 1] === '\\') {
      result += `${text.slice(at, open - 1)}\${`;
      at = open + 2;
      continue;
    }
    const close = closingBrace(text, open + 2);
    if (close === undefined) throw new PlaceholderProblem('a placeholder has no closing brace');
    result += text.slice(at, open) + valueOfPlaceholder(text.slice(open + 2, close), lookUp, depth);
    at = close + 1;
  }
}

function closingBrace(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

function valueOfPlaceholder(placeholder: string, lookUp: LookUp, depth: number): string {
  const colon = placeholder.indexOf(':');
  const name = (colon < 0 ? placeholder : placeholder.slice(0, colon)).trim();
  const found = lookUp(name);
  if (found !== undefined) return found.literal ? found.text : fill(found.text, lookUp, depth + 1);
  if (colon < 0) throw new PlaceholderProblem(`\${${name}} is set nowhere and has no default`);
  return fill(placeholder.slice(colon + 1), lookUp, depth + 1);
}
