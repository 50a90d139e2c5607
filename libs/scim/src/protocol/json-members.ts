import { isStorable } from '@lintel/persistence';
import { badRequest } from './scim-failure.ts';

/** Members of a JSON object by their names in small letters: names of attributes have no case (RFC 7643 §2.1). */
export type Members = ReadonlyMap<string, unknown>;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws ScimFailure invalidSyntax, naming a member that comes twice in different case */
export function membersOf(value: unknown, what: string): Members {
  if (!isObject(value)) throw badRequest('invalidSyntax', `${what}: expected an object`);
  const members = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const key = name.toLowerCase();
    if (members.has(key)) throw badRequest('invalidSyntax', `${name}: the member is there twice`);
    members.set(key, member);
  }
  return members;
}

/** @throws ScimFailure invalidSyntax if the body does not name the schema */
export function assertSchema(members: Members, uri: string): void {
  const schemas = members.get('schemas');
  const isNamed =
    Array.isArray(schemas) &&
    schemas.some((each) => typeof each === 'string' && each.toLowerCase() === uri.toLowerCase());
  if (!isNamed) throw badRequest('invalidSyntax', `schemas: expected a list with ${uri}`);
}

/** A text that a column can store; null for none. */
export function textOf(value: unknown, name: string, maxLength: number): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw badRequest('invalidValue', `${name}: expected a text`);
  if (value.length > maxLength || !isStorable(value))
    throw badRequest('invalidValue', `${name}: expected a text of at most ${maxLength} characters, without NUL`);
  return value;
}

/** Entra ID sends `"True"` and `"False"`. */
export function booleanOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw badRequest('invalidValue', `${name}: expected true or false`);
}
