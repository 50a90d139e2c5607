import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadApplication } from './application/load-application.ts';
import { readResource } from './application/read-resource.ts';
import { defineSettings } from './declaring/define-settings.ts';
import { setting } from './declaring/setting.ts';
import { textValue } from './declaring/values.ts';
import { loadSettings } from './loading/load-settings.ts';
import { platformSettings } from './platform-settings.ts';
import { readConfiguration } from './read-configuration.ts';
import { processSources } from './sources/sources.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-config-'));
  await mkdir(join(folder, 'app', 'resources', 'reports'), { recursive: true });
  await writeFile(
    join(folder, 'app', 'index.mjs'),
    `export default { id: 'shop', model: {}, resourceRoles: new Map(), properties: { 'svc.shop.name': 'from application' },
      resources: new URL('./resources/', import.meta.url) };`,
  );
  await writeFile(
    join(folder, 'app', 'package.json'),
    JSON.stringify({ name: 'shop', type: 'module', exports: './index.mjs' }),
  );
  await writeFile(join(folder, 'app', 'resources', 'messages_de.properties'), 'order=Auftrag für Zürich\n');
  await writeFile(join(folder, 'app', 'resources', 'reports', 'invoice #1.html'), '<b>');
  await writeFile(join(folder, 'secret.txt'), 'secret\n');
  await symlink(join(folder, 'secret.txt'), join(folder, 'app', 'resources', 'link.txt'));
  await writeFile(join(folder, 'empty.mjs'), 'export default {};');
  await writeFile(join(folder, 'one.properties'), '# comment\nsvc.shop.name = one\nother.key=ignored\n');
  await writeFile(join(folder, 'two.properties'), 'svc.shop.name: two\\\n  lines\n');
});
afterAll(() => rm(folder, { recursive: true }));

const shape = defineSettings({
  name: setting('svc.shop.name', textValue(), ''),
  configFile: platformSettings.configFile,
});

test('properties files named by svc.config-file are read in order, the environment wins', () => {
  const read = (environment: Record<string, string>) => loadSettings(shape, processSources({ environment })).name;
  const files = [join(folder, 'one.properties'), join(folder, 'two.properties')];
  expect(read({ SVC_CONFIG_FILE: files.join(', ') })).toBe('twolines');
  expect(read({ 'svc.config-file': files[0] ?? '' })).toBe('one');
  expect(read({ SVC_CONFIG_FILE: files.join(), SVC_SHOP_NAME: 'variable' })).toBe('variable');
  expect(() => read({ SVC_CONFIG_FILE: join(folder, 'none.properties') })).toThrow('none.properties cannot be read');
});

test('an application is found by path, folder, URL and its properties are the lowest source', async () => {
  for (const specifier of ['./app/index.mjs', './app', pathToFileURL(join(folder, 'app', 'index.mjs')).href])
    expect((await loadApplication(specifier, folder)).id).toBe('shop');
  const { application, config } = await readConfiguration(shape, {
    environment: { SVC_APPLICATION: join(folder, 'app') },
  });
  expect(application.id).toBe('shop');
  expect(config.name).toBe('from application');
});

test('a missing module and one without an application are named', async () => {
  await expect(loadApplication('./nowhere', folder)).rejects.toThrow('svc.application: ./nowhere cannot be found');
  await expect(loadApplication('no-such-package', folder)).rejects.toThrow('no-such-package cannot be found');
  await expect(loadApplication('./empty.mjs', folder)).rejects.toThrow('defineApplication');
});

test('resources are read by name, as UTF-8, and only inside the resources folder', async () => {
  const application = await loadApplication('./app', folder);
  expect(await readResource(application, 'messages_de.properties')).toContain('Zürich');
  expect(await readResource(application, '/reports/invoice #1.html')).toBe('<b>');
  for (const name of [
    '../index.mjs',
    'reports/../../index.mjs',
    'link.txt',
    join(folder, 'secret.txt'),
    'none.xml',
    '',
  ])
    await expect(readResource(application, name)).rejects.toThrow('cannot be read');
  await expect(readResource({}, 'x')).rejects.toThrow('"resources"');
});
