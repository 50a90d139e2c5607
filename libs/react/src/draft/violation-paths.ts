import { isObject, joinPath, keptLines, keyOfLine, type Values } from './values.ts';

/** A message about a value that was sent. */
interface Violation {
  readonly path: string;
  readonly message: string;
}

/**
 * The messages of the server by the paths of the draft: `lines[1].quantity` is the second line that was sent, removed
 * ones do not count. Those about the whole instance have the path "".
 */
export function messagesByPath(draft: Values, violations: readonly Violation[]): ReadonlyMap<string, string> {
  const messages = new Map<string, string>();
  for (const { path, message } of violations) {
    const at = draftPathOf(draft, path);
    const before = messages.get(at);
    if (before?.split('; ').includes(message) === true) continue;
    messages.set(at, before === undefined ? message : `${before}; ${message}`);
  }
  return messages;
}

/** Messages without those about the value at a path, and about what is in it. */
export function withoutPath(messages: ReadonlyMap<string, string>, path: string): ReadonlyMap<string, string> {
  const others = [...messages].filter(([at]) => at !== path && !at.startsWith(`${path}/`));
  return others.length === messages.size ? messages : new Map(others);
}

/** Where the value of a path of the server is in a draft. */
export function draftPathOf(draft: Values, path: string): string {
  let at: unknown = draft;
  let found = '';
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (name !== undefined) {
      found = joinPath(found, name);
      at = isObject(at) ? at[name] : undefined;
    } else {
      const line = keptLines(at)[Number(index)];
      // An element of a collection of values: its message is that of the collection.
      if (!isObject(line)) return found;
      found = joinPath(found, keyOfLine(line));
      at = line;
    }
  }
  return found;
}
