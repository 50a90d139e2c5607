import { readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type ImportedLibraries, librariesOf } from './libraries-of.ts';

interface ImageTools {
  collectRuntime(target: string, names: readonly string[]): unknown;
  imageContents(service: string): readonly string[];
  bundleModules(folder: string, service: string): Promise<void>;
}

const IMAGES = new URL('../../../deploy/images/', import.meta.url);
const REGISTER = './register';
/** The only module of ours that an empty service has. */
const HEAP_OPTIONS = 'heap-options.js';

/**
 * Makes the image of an empty service: it imports from packages and from Node exactly what the service imports
 * statically, bundled in the same way, and has none of our code. It connects to the backends that the service has
 * libraries for, and responds to `/health/ready`.
 *
 * @param folder a folder that is made
 */
export async function makeEmptyService(folder: string, service: string): Promise<void> {
  const [{ collectRuntime, imageContents }, { bundleModules }] = (await Promise.all(
    ['collect-runtime.mjs', 'bundle-modules.mjs'].map((name) => import(new URL(name, IMAGES).href)),
  )) as [ImageTools, ImageTools];
  collectRuntime(folder, imageContents(service));
  symlinkSync(`services/${service}`, join(folder, 'service'));
  const main = join(folder, 'services', service, 'dist', 'main.js');
  const libraries = librariesOf([main, join(folder, 'libs', 'telemetry', 'dist', 'register.js')]);
  writeFileSync(main, mainOf(main, libraries));
  keepRegisterAlone(folder);
  await bundleModules(folder, service);
}

/** Our libraries export only the entry for `--import`, which sets options of the heap aside, as in the service. */
function keepRegisterAlone(folder: string): void {
  writeFileSync(
    join(folder, 'libs', 'telemetry', 'dist', 'register.js'),
    `import { setHeapOptionsAside } from './${HEAP_OPTIONS}';\nsetHeapOptionsAside();\n`,
  );
  for (const name of readdirSync(join(folder, 'libs'))) {
    const file = join(folder, 'libs', name, 'package.json');
    const description = JSON.parse(readFileSync(file, 'utf8'));
    const kept = Object.entries(description.exports).filter(([path]) => name === 'telemetry' && path === REGISTER);
    writeFileSync(file, JSON.stringify({ ...description, exports: Object.fromEntries(kept) }));
  }
}

function mainOf(main: string, libraries: readonly ImportedLibraries[]): string {
  const imports = libraries.map(({ file, statements, names }, at) => {
    // In the same file, so that each name leads to the same version of a package, and the bundle leaves out the same.
    const holder =
      file === realpathSync(main) || file.endsWith(HEAP_OPTIONS) ? file.replace(/\.js$/, '.libraries.js') : file;
    writeFileSync(holder, `${statements.join('\n')}\nexport const used = [${names.join(', ')}];\n`);
    const path = relative(join(main, '..'), holder);
    return `import { used as used${at} } from '${path.startsWith('.') ? path : `./${path}`}';`;
  });
  const all = libraries.flatMap(({ statements }) => statements).join('\n');
  const has = (name: string) => all.includes(`from '${name}'`);
  return [
    ...imports,
    "import express from 'express';",
    has('pg') ? "import pg from 'pg';" : '',
    has('ioredis') ? "import { Redis } from 'ioredis';" : '',
    has('amqplib') ? "import { connect } from 'amqplib';" : '',
    `globalThis.used = [${libraries.map((_, at) => `used${at}`).join(', ')}];`,
    'const { SVC_DATASOURCE_URL: database, SVC_REDIS_URL: redis, SVC_BROKER_URLS: broker, PORT = "0" } = process.env;',
    'if (broker === undefined) { console.error("svc.broker.urls (SVC_BROKER_URLS): is required"); process.exit(1); }',
    'const waits = [];',
    has('pg') ? "waits.push(new pg.Pool({ connectionString: database, max: 4 }).query('SELECT 1'));" : '',
    has('ioredis') ? 'if (redis !== undefined) waits.push(new Redis(redis).ping());' : '',
    has('amqplib') ? 'waits.push(connect(broker).then(consume));' : '',
    'async function consume(model) {',
    '  const channel = await model.createChannel();',
    "  const { queue } = await channel.assertQueue('', { exclusive: true });",
    '  await channel.consume(queue, () => {});',
    '}',
    'await Promise.all(waits);',
    'const app = express();',
    "app.get('/health/ready', (_request, response) => void response.json({ status: 'UP' }));",
    'for (const port of [PORT, "0", "0"])',
    '  await new Promise((resolve) => app.listen(Number(port), "127.0.0.1", resolve));',
    "process.on('SIGTERM', () => process.exit(0));",
  ].join('\n');
}
