import { readFileSync } from 'node:fs';
import { INSECURITIES } from '@lintel/config';
import { parse } from 'yaml';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const values = parse(read('../lintel/values.yaml')) as Readonly<Record<string, unknown>>;
const readme = read('../lintel/README.md');
const SERVICES = ['gateway', 'auth', 'data', 'files', 'reports', 'reportsWorkers', 'dataWorkers'];
type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every value with its path; what Kubernetes defines is one value. */
function* leaves(tree: Tree, path = ''): Generator<readonly [string, unknown]> {
  for (const [name, value] of Object.entries(tree)) {
    if (isTree(value) && Object.keys(value).length > 0 && name !== 'resources') yield* leaves(value, `${path}${name}.`);
    else yield [`${path}${name}`, value];
  }
}

/** As a cell of a table shows it. */
function shown(value: unknown): string {
  const isEmpty = value === '' || (typeof value === 'object' && JSON.stringify(value).length === 2);
  return isEmpty ? '–' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
/** The rows of a table, by the first cell, without spaces that only make JSON readable. */
const rows = (section: string): ReadonlyMap<string, readonly string[]> => {
  const [, text = ''] = readme.split(`\n## ${section}\n`);
  const lines = (text.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    lines.map((line) => {
      const [first = '', ...rest] = line.slice(2, -2).split(/ \| ?/);
      return [first.replaceAll('`', ''), rest];
    }),
  );
};
const compact = (cell: string | undefined) => cell?.replace(/([,:]) /g, '$1');

test('the README names every value, with its default, and no other', () => {
  const { secrets, ...others } = values;
  const general = Object.fromEntries(Object.entries(others).filter(([name]) => !SERVICES.includes(name)));
  const listed = rows('Values');
  const expected = [...leaves({ ...general, secrets: { existingSecret: (secrets as Tree)['existingSecret'] } })];
  expect([...listed.keys()].sort()).toEqual(expected.map(([path]) => path).sort());
  for (const [path, value] of expected)
    expect([path, compact(listed.get(path)?.[0])]).toEqual([path, compact(shown(value))]);
});

test('the README names every secret with its key', () => {
  const entries = Object.entries(values['secrets'] as Tree).filter(([, value]) => isTree(value));
  const keys = [...rows('Secrets')].map(([name, [key]]) => [name, key?.replaceAll('`', '')]);
  expect(keys).toEqual(entries.map(([name, entry]) => [name, (entry as Tree)['key']]));
});

test('the README names every value of the services, with its defaults', () => {
  const listed = rows('Services');
  const paths = new Set<string>();
  for (const [index, service] of SERVICES.entries())
    for (const [path, value] of leaves(values[service] as Tree)) {
      paths.add(path);
      const { requests, limits } = value as { requests: Tree; limits: Tree };
      const cell =
        path === 'resources' ? `cpu ${requests['cpu']}, ${requests['memory']} to ${limits['memory']}` : shown(value);
      expect([service, path, listed.get(path)?.[index]]).toEqual([service, path, cell]);
    }
  expect([...listed.keys()].sort()).toEqual([...paths].sort());
});

test('the schema has what the services can be set to accept', () => {
  const { properties } = JSON.parse(read('../lintel/values.schema.json')) as {
    readonly properties: { readonly allowInsecure: { readonly items: { readonly enum: readonly string[] } } };
  };
  expect(properties.allowInsecure.items.enum).toEqual([...INSECURITIES]);
});

test('the schema knows every value, and every member of an object is named in it', () => {
  const schema = JSON.parse(read('../lintel/values.schema.json')) as Tree;
  const resolve = (part: Tree): Tree =>
    typeof part['$ref'] === 'string'
      ? ((schema['definitions'] as Tree)[part['$ref'].replace('#/definitions/', '')] as Tree)
      : part;
  const check = (tree: Tree, part: Tree, path: string): void => {
    const { properties, additionalProperties } = resolve(part);
    for (const [name, value] of Object.entries(tree)) {
      const own = isTree(properties) ? properties[name] : undefined;
      expect([`${path}${name}`, own]).toEqual([`${path}${name}`, expect.anything()]);
      expect(additionalProperties).toBe(false);
      if (isTree(value) && Object.keys(value).length > 0 && name !== 'resources')
        check(value, own as Tree, `${path}${name}.`);
    }
  };
  check(values, schema, '');
});

test('the guide names the CPU and the memory that the default replicas request', () => {
  const isDefault = (service: string) => (values[service] as Tree)['enabled'] !== false;
  const requested = SERVICES.filter(isDefault).map((service) => {
    const { replicas, resources } = values[service] as { replicas: number; resources: { requests: Tree } };
    const { cpu, memory } = resources.requests;
    expect([cpu, memory]).toEqual([expect.stringMatching(/^\d+m$/), expect.stringMatching(/^\d+Mi$/)]);
    return { cpu: replicas * Number.parseInt(String(cpu), 10), memory: replicas * Number.parseInt(String(memory), 10) };
  });
  const sum = (kind: 'cpu' | 'memory') => requested.reduce((total, each) => total + each[kind], 0);
  expect(read('../../../docs/guide/kubernetes.md')).toContain(
    `request ${sum('cpu')}m of CPU and ${sum('memory')}Mi of memory`,
  );
});
