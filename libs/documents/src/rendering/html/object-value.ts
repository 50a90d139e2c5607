import { Drop } from 'liquidjs';

class ObjectValue extends Drop {}

/**
 * An instance or an object in a template: it is written as its text, and has its members by name. Nothing else can be
 * read from it: the engine would read all properties of a `Drop`, also those of its prototype.
 */
export function objectValue(text: string, member: (name: string) => unknown): Drop {
  const own: Readonly<Record<string, unknown>> = {
    valueOf: () => text,
    toString: () => text,
    toJSON: () => text,
    liquidMethodMissing: () => undefined,
  };
  return new Proxy(new ObjectValue(), {
    get: (_, name) => (typeof name === 'symbol' ? undefined : Object.hasOwn(own, name) ? own[name] : member(name)),
  });
}
