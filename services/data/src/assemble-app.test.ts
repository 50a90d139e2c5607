import { loadSettings } from '@lintel/config';
import { assembleApp } from './assemble-app.ts';
import { settings } from './config.ts';
import type { Engine } from './engine/create-engine.ts';
import type { Feature } from './feature.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => quiet };
const values = { 'svc.internal.secret': 'x', 'svc.datasource.url': 'postgres://localhost/x' };
const config = loadSettings(settings, {
  sources: [{ label: 'test', kind: 'file', values }],
  readSecretFile: () => '',
});
const engine = { config, ports: { logger: quiet } } as unknown as Engine;

function startService() {
  const calls: string[] = [];
  const cacheOf = (name: string) => ({ name }) as never;
  const call = (text: string) => () => void calls.push(text);
  const features: Feature[] = [
    { register: call('register a'), caches: [cacheOf('a1'), cacheOf('a2')], start: call('start a') },
    { register: call('register b'), close: async () => call('close b')() },
    {
      caches: [cacheOf('c')],
      start: async () => call('start c')(),
      follow: async () => call('follow c')(),
      close: async () => call('close c')(),
    },
  ];
  return { service: assembleApp(engine, features), calls };
}

test('the members of features are called in the order of the list', async () => {
  const { service, calls } = startService();
  await service.start();
  await service.follow({ subscribe: async () => ({ close: async () => {} }) });
  await service.close();
  expect(calls).toEqual(['register a', 'register b', 'start a', 'start c', 'follow c', 'close b', 'close c']);
  expect(service.caches).toEqual([{ name: 'a1' }, { name: 'a2' }, { name: 'c' }]);
});

test('an error of a start stops the next ones', async () => {
  const starts: string[] = [];
  const service = assembleApp(engine, [
    { start: () => Promise.reject(new Error('no database')) },
    { start: () => void starts.push('second') },
  ]);
  await expect(service.start()).rejects.toThrow('no database');
  expect(starts).toEqual([]);
});
