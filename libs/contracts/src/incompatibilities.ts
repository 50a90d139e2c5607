import { z } from 'zod';

/** The part of JSON Schema that the schemas of events are written in. */
export interface EventSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, EventSchema>>;
  readonly required?: readonly string[];
  readonly items?: EventSchema;
  readonly [keyword: string]: unknown;
}

/** The JSON Schema of the data of an event of the platform. */
export const eventSchema = (schema: z.ZodType): EventSchema => z.toJSONSchema(schema) as EventSchema;

/** Keywords that say something about the value itself; members and items are compared on their own. */
const STRUCTURE = new Set([
  ...['$schema', '$comment', 'title', 'description', 'examples'],
  ...['properties', 'required', 'items'],
]);

/**
 * Lists the differences that make a schema another version of an event. While replicas are replaced, earlier consumers
 * get present events and the other way round, so both must be able to read both: optional members may be added,
 * everything else is a new version.
 *
 * @param published the schema as it was published
 * @returns one line for each contradiction, with the path of the member
 */
export function incompatibilities(published: EventSchema, current: EventSchema, path = 'data'): readonly string[] {
  const found: string[] = [];
  for (const keyword of new Set([...Object.keys(published), ...Object.keys(current)])) {
    if (STRUCTURE.has(keyword)) continue;
    const [before, now] = [JSON.stringify(published[keyword]), JSON.stringify(current[keyword])];
    if (before !== now) found.push(`${path}: ${keyword} was ${before ?? 'absent'} and is ${now ?? 'absent'}`);
  }
  found.push(...memberIncompatibilities(published, current, path));
  if (published.items !== undefined && current.items !== undefined)
    found.push(...incompatibilities(published.items, current.items, `${path}[]`));
  else if (published.items !== current.items) found.push(`${path}: its items are described in one of both only`);
  return found;
}

function memberIncompatibilities(published: EventSchema, current: EventSchema, path: string): readonly string[] {
  const found: string[] = [];
  const [before, now] = [published.properties ?? {}, current.properties ?? {}];
  const [neededBefore, neededNow] = [new Set(published.required), new Set(current.required)];
  for (const [name, schema] of Object.entries(before)) {
    const member = `${path}.${name}`;
    const other = now[name];
    if (other === undefined) found.push(`${member} was removed`);
    else {
      if (neededBefore.has(name) && !neededNow.has(name)) found.push(`${member} was required and is optional`);
      if (!neededBefore.has(name) && neededNow.has(name)) found.push(`${member} was optional and is required`);
      found.push(...incompatibilities(schema, other, member));
    }
  }
  for (const name of Object.keys(now))
    if (!(name in before) && neededNow.has(name)) found.push(`${path}.${name} was added as required`);
  return found;
}
