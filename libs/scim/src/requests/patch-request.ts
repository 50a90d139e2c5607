import type { Filter } from '../filters/filter.ts';
import { parseValueFilter } from '../filters/parse-filter.ts';
import { readTokens } from '../filters/read-tokens.ts';
import { assertSchema, isObject, membersOf } from '../protocol/json-members.ts';
import { attributeName, SCHEMA_URIS } from '../protocol/schema-uris.ts';
import { badRequest } from '../protocol/scim-failure.ts';

/** The target of an operation: `name.familyName`, `emails[type eq "work"].value`. In small letters. */
export interface PatchPath {
  readonly attribute: string;
  readonly filter?: Filter;
  readonly sub?: string;
}

export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: PatchPath;
  readonly value: unknown;
  /** Whether the operation itself had no path: then members that cannot be written are ignored. */
  readonly isWhole: boolean;
}

const OPS = ['add', 'replace', 'remove'] as const;
/** Each operation is one of a body whose size is limited; each has a cost of its own, too. */
const MAX_OPERATIONS = 1_000;

/**
 * The operations of a PATCH (RFC 7644 §3.5.2), one for each attribute. The habits of Entra ID and Okta are accepted:
 * `op` with capitals, and objects without a path whose members are paths (`"name.givenName"`).
 *
 * @throws ScimFailure that names the operation
 */
export function readPatch(body: unknown): readonly PatchOperation[] {
  const members = membersOf(body, 'body');
  assertSchema(members, SCHEMA_URIS.patch);
  const operations = members.get('operations');
  // The validator of Entra ID sends an empty list, and expects a success.
  if (!Array.isArray(operations) || operations.length > MAX_OPERATIONS)
    throw badRequest('invalidSyntax', `Operations: expected a list of at most ${MAX_OPERATIONS} operations`);
  return operations.flatMap((operation, index) => readOperation(operation, `Operations[${index}]`));
}

function readOperation(operation: unknown, what: string): readonly PatchOperation[] {
  const members = membersOf(operation, what);
  const given = members.get('op');
  const op = OPS.find((each) => typeof given === 'string' && each === given.toLowerCase());
  if (op === undefined) throw badRequest('invalidSyntax', `${what}.op: expected add, replace or remove`);
  const path = members.get('path');
  const value = members.get('value');
  if (op !== 'remove' && value === undefined) throw badRequest('invalidSyntax', `${what}.value: is missing`);
  if (typeof path === 'string' && path.trim() !== '') return [{ op, path: parsePath(path), value, isWhole: false }];
  if (path !== undefined && path !== null && path !== '')
    throw badRequest('invalidPath', `${what}.path: expected a text`);
  if (op === 'remove') throw badRequest('noTarget', `${what}.path: a removal needs a path`);
  if (!isObject(value)) throw badRequest('invalidSyntax', `${what}.value: expected an object, since there is no path`);
  return Object.entries(value).map(([name, member]) => ({ op, path: parsePath(name), value: member, isWhole: true }));
}

/** @throws ScimFailure invalidPath */
function parsePath(text: string): PatchPath {
  const tokens = readTokens(text, 'invalidPath');
  const [first] = tokens;
  if (first?.kind !== 'word') throw badRequest('invalidPath', 'path: expected an attribute');
  const name = attributeName(first.text);
  if (tokens.length === 1) return splitName(name);
  const last = tokens.at(-1);
  const sub = last?.kind === 'sub' ? last.text.slice(1) : undefined;
  const end = sub === undefined ? tokens.length : tokens.length - 1;
  const [open, close] = [tokens[1], tokens[end - 1]];
  if (open?.text !== '[' || close?.text !== ']' || open.kind !== 'symbol' || close.kind !== 'symbol' || end < 4)
    throw badRequest('invalidPath', 'path: expected attribute[filter].sub');
  const filter = parseValueFilter(tokens.slice(2, end - 1), name);
  return { attribute: name, filter, ...(sub !== undefined && { sub }) };
}

/** A name with a schema of an extension contains dots that separate nothing. */
function splitName(name: string): PatchPath {
  const dot = name.startsWith('urn:') ? -1 : name.indexOf('.');
  return dot === -1 ? { attribute: name } : { attribute: name.slice(0, dot), sub: name.slice(dot + 1) };
}
