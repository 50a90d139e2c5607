import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { compileAhead, optionsToCompileFor } from './compile-ahead.mjs';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
/** What Node is started with up to `--import`. */
const optionsOf = (entryPoint: readonly string[]) => entryPoint.slice(1, entryPoint.indexOf('--import'));
const entryPoint = optionsOf(JSON.parse(/^ENTRYPOINT (.*)$/m.exec(read('./Dockerfile'))?.[1] ?? ''));

test('services are compiled for the options that image, compose file and chart start them with', () => {
  const { services } = parse(read('../compose/docker-compose.yml'), { merge: true });
  const components = [
    ...read('../helm/lintel/templates/_components.tpl').matchAll(/^ {2}image: (\w+)$([\s\S]*?)^\w/gm),
  ];
  const ofChart = Object.fromEntries(
    components.map(([, name, facts]) => [name, /nodeOptions:(?: &\w+)? \[(.*)\]/.exec(facts ?? '')?.[1]?.split(', ')]),
  );
  expect(Object.keys(ofChart)).toEqual(expect.arrayContaining(['gateway', 'auth', 'data', 'files', 'reports']));
  for (const name of ['gateway', 'auth', 'data', 'files', 'reports']) {
    const compiled = optionsToCompileFor(name);
    expect(compiled).toContainEqual(entryPoint);
    const ofCompose = services[name].entrypoint;
    if (ofCompose !== undefined) expect(compiled).toContainEqual(optionsOf(ofCompose));
    if (ofChart[name] !== undefined) expect(compiled).toContainEqual(ofChart[name]);
  }
});

describe('compiling in an image', () => {
  let image: string;
  beforeEach(() => {
    image = mkdtempSync(join(tmpdir(), 'lintel-compile-'));
    write('node_modules/@lintel/telemetry/package.json', '{"exports":{"./register":"./register.js"}}');
    write('node_modules/@lintel/telemetry/register.js', '');
    write('service/dist/package.json', '{"type":"module"}');
  });
  afterEach(() => rmSync(image, { recursive: true }));

  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(image, path)), { recursive: true });
    writeFileSync(join(image, path), content);
  };

  test('keeps what others may read, for each set of options', () => {
    write(
      'service/dist/main.js',
      "console.error('svc.datasource.url (SVC_DATASOURCE_URL): is required'); process.exit(1);",
    );
    const cache = join(image, 'cache');
    compileAhead('files', cache, image);
    expect(readdirSync(cache)).toHaveLength(2);
    const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const { parentPath, name } of files) expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o644);
  });

  test('keeps the functions that a start with settings calls, and not the others', () => {
    const body = (name: string, text: string) => `export function ${name}() { return ${JSON.stringify(text)}; }`;
    write('service/dist/called.js', `${body('called', 'Gull')}\n${body('uncalled', 'Heron')}`);
    write(
      'service/dist/main.js',
      "import { called, uncalled } from './called.js';\n" +
        'const { SVC_DATASOURCE_URL: url } = process.env; if (url === 0) uncalled();\n' +
        "if (url === undefined) { console.error('svc.datasource.url (SVC_DATASOURCE_URL): is required'); process.exit(1); }\n" +
        'called();',
    );
    const cache = join(image, 'cache');
    compileAhead('gateway', cache, image);
    const kept = readdirSync(cache, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
      .join();
    // Strings of a function are kept with its code.
    expect(kept).toContain('Gull');
    expect(kept).not.toContain('Heron');
  });

  test('fails where the service cannot even load its code', () => {
    write('service/dist/main.js', "import './missing.js';");
    expect(() => compileAhead('data', join(image, 'cache'), image)).toThrow(
      /^data did not end for want of its settings but with 1:\n[\s\S]*missing\.js/,
    );
  });
});
