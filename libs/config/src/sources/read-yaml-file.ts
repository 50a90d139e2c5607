import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { PropertySource } from './property-source.ts';

/**
 * The properties of a YAML file: nested maps are names with dots, sequences `name[0]`, `name[1]`. Documents of one
 * file are read one after the other. Throws what reading the file throws, and an Error that names the line of
 * what is not YAML, but not its text, which may be a secret.
 */
export function readYamlFile(path: string): PropertySource {
  // Loaded when it is needed: most processes have no such file.
  const yaml = createRequire(import.meta.url)('yaml') as typeof Yaml;
  const values: Record<string, string> = {};
  const lines: Record<string, number> = {};
  const counter = new yaml.LineCounter();
  const lineOf = (offset: number | undefined): number => counter.linePos(offset ?? 0).line;
  const documents = yaml.parseAllDocuments(readFileSync(path, 'utf8'), { prettyErrors: false, lineCounter: counter });
  for (const document of documents) {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`line ${lineOf(error.pos[0])} is not YAML: ${error.code}`);
    const put = (name: string, node: unknown, at: number | undefined): void => {
      if (yaml.isAlias(node)) put(name, node.resolve(document), at);
      else if (yaml.isMap(node)) {
        for (const { key, value } of node.items) {
          const word = yaml.isScalar(key) ? String(key.value) : String(key);
          put(memberName(name, word), value, yaml.isNode(key) ? key.range?.[0] : at);
        }
      } else if (yaml.isSeq(node)) {
        for (const [index, item] of node.items.entries())
          put(`${name}[${index}]`, item, yaml.isNode(item) ? item.range?.[0] : at);
        if (node.items.length === 0) put(name, undefined, at);
      } else {
        values[name] = yaml.isScalar(node) ? textOf(node) : '';
        lines[name] = lineOf(at);
      }
    };
    if (yaml.isMap(document.contents)) put('', document.contents, 0);
    else if (document.contents !== null) throw new Error(`line ${lineOf(0)} is no property: a map is expected`);
  }
  return { label: path, kind: 'file', values, lines };
}

const memberName = (name: string, word: string): string =>
  name === '' || word.startsWith('[') ? `${name}${word}` : `${name}.${word}`;

/** A number as it was written: `1.10` is no `1.1`. */
function textOf({ value, source }: Yaml.Scalar): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : (source ?? String(value));
}
