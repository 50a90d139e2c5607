import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runProgram } from '../../tools/bootstrap/run-program.mjs';
import { bundleApplication } from './bundle-application.mjs';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lintel-application-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

test('an application of one file has the same classes and resources, and packages of its process', async () => {
  write('package.json', '{ "type": "module" }');
  write('node_modules/model/package.json', '{ "type": "module", "exports": "./index.js" }');
  write('node_modules/model/index.js', 'export class Model {}');
  write('application/dist/order.js', "import { Model } from 'model'; export class Row extends Model {}");
  write('application/dist/customer.js', "import { Model } from 'model'; export class Row extends Model {}");
  write(
    'application/dist/index.js',
    `import { Row as Order } from './order.js'; import { Row as Customer } from './customer.js';
     export default { entities: [Order, Customer], resources: new URL('../resources/', import.meta.url) };`,
  );
  write(
    'main.mjs',
    `import { Model } from 'model'; import application from './application/dist/index.js';
     const { entities, resources } = application;
     console.log(JSON.stringify([entities.map(({ name }) => name), entities.every((each) => new each() instanceof Model), resources]));`,
  );
  await bundleApplication(join(folder, 'application'), 'dist/index.js');
  for (const path of ['dist/order.js', 'dist/customer.js']) rmSync(join(folder, 'application', path));
  const { output } = await runProgram(process.execPath, [join(folder, 'main.mjs')], { cwd: folder });
  expect(JSON.parse(output)).toEqual([['Row', 'Row'], true, `file://${folder}/application/resources/`]);
  expect(readdirSync(join(folder, 'application/dist'))).toEqual(['index.js', 'index.js.map']);
});
