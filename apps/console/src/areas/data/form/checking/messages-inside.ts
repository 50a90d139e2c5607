/** The messages of the value at a path, and of all that is inside of it. */
export const messagesInside = (messages: ReadonlyMap<string, string>, path: string): readonly string[] =>
  [...messages].filter(([at]) => at === path || at.startsWith(`${path}/`)).map(([, message]) => message);
