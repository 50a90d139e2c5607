import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fakeTerminal } from '../test/fake-terminal.ts';
import { readCommandTree } from './completion/read-command-tree.ts';
import { createProgram } from './program.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Command lines in the texts and comments of the platform: the first word after `lintel` is a command. */
const advised = new Map<string, string>();
for (const file of globSync('{apps,libs,services,tools}/*/src/**/*.ts', { cwd: ROOT }))
  if (!file.endsWith('.test.ts'))
    for (const [, line = ''] of readFileSync(`${ROOT}${file}`, 'utf8').matchAll(
      /["`(:] ?(?:npx )?lintel ([a-z][^"'`\n]+)["`']/g,
    ))
      advised.set(line, file);

test.each([...advised])('the command "lintel %s", which %s advises, exists with its options', (line) => {
  const nodes = readCommandTree(createProgram(fakeTerminal(), () => undefined));
  let node = nodes[0];
  const words = line.replaceAll(/[.\\]*$/g, '').split(/[\s.]+/);
  for (const word of words) {
    const next = nodes.find(({ path }) => path.join(' ') === [...(node?.path ?? []), word].join(' '));
    if (next === undefined) break;
    node = next;
  }
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.replace(/[^a-z-].*$/, ''));
  const isGroup = (node?.commands.length ?? 0) > 0 && !/^\S+ (…|<command>)/.test(line);
  expect({ path: node?.path, isGroup }).toEqual({ path: expect.arrayContaining([words[0]]), isGroup: false });
  expect(node?.options.map(({ word }) => word)).toEqual(expect.arrayContaining(options));
});
