import type { ExtensionParts } from '@lintel/react/console';

const KINDS = ['pages', 'columns', 'fields', 'actions'] as const;
const REQUIRED: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  pages: ['path', 'title', 'component'],
  columns: ['entity', 'name', 'title', 'component'],
  fields: ['component'],
  actions: ['entity', 'on', 'name', 'title', 'run'],
};
const PATH = /^[a-z0-9-]+$/;

/**
 * What a function of an extension returned, checked as far as the console depends on it.
 *
 * @throws Error that names the wrong part
 */
export function checkParts(returned: unknown): ExtensionParts {
  if (typeof returned !== 'object' || returned === null)
    throw new Error('The function of the extension returns no object');
  const unknown = Object.keys(returned).filter((kind) => !(KINDS as readonly string[]).includes(kind));
  if (unknown.length > 0) throw new Error(`The console knows no "${unknown.join('", "')}"; use ${KINDS.join(', ')}`);
  for (const kind of KINDS) checkAll(kind, (returned as Readonly<Record<string, unknown>>)[kind] ?? []);
  return returned as ExtensionParts;
}

function checkAll(kind: (typeof KINDS)[number], parts: unknown): void {
  if (!Array.isArray(parts)) throw new Error(`${kind} is no array`);
  for (const [index, part] of (parts as readonly Readonly<Record<string, unknown>>[]).entries()) {
    const missing = REQUIRED[kind].filter((name) => part?.[name] === undefined);
    if (missing.length > 0) throw new Error(`${kind}[${index}] has no ${missing.join(', ')}`);
    if (kind === 'pages' && !PATH.test(String(part['path'])))
      throw new Error(`${kind}[${index}].path may have lower-case letters, digits and hyphens only`);
    if (kind === 'actions' && part['on'] !== 'list' && part['on'] !== 'instance')
      throw new Error(`${kind}[${index}].on must be "list" or "instance"`);
    if (kind === 'fields' && part['datatype'] === undefined && !(part['entity'] && part['attribute']))
      throw new Error(`${kind}[${index}] has neither a datatype nor an entity with an attribute`);
  }
}
