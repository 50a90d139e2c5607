import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '@lintel/config';
import { settings } from '../../config.ts';
import { openFileStorages, partSizeOf } from './open-file-storages.ts';

const REQUIRED = { 'svc.internal.secret': 'x', 'svc.datasource.url': 'postgres://x' };

describe('openFileStorages', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storages-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const open = (values: Readonly<Record<string, string>>) =>
    openFileStorages(
      loadSettings(settings, {
        sources: [{ label: 'test', kind: 'application', values: { ...REQUIRED, ...values } }],
        readSecretFile: () => '',
      }),
      { warn: () => {} },
    );

  // Asserts contract/files.md#download, contract/files.md#storages, contract/files.md#upload.
  test('takes the only storage as the default, with a limit of its own', async () => {
    const storages = await open({
      'svc.files.storage.fs.kind': 'folder',
      'svc.files.storage.fs.path': join(folder, 'fs'),
      'svc.files.storage.fs.max-file-size': '1MB',
      'svc.rest.max-file-size': '5MB',
    });
    expect(storages.default).toMatchObject({ name: 'fs', maxFileSizeBytes: 1024 * 1024 });
    expect(storages.find('fs')).toBe(storages.default);
    expect(storages.find('s3')).toBeUndefined();
  });

  // Asserts contract/files.md#storages.
  test('opens several, the default being named', async () => {
    const two = {
      'svc.files.storage.fs.kind': 'folder',
      'svc.files.storage.fs.path': join(folder, 'fs'),
      'svc.files.storage.archive.kind': 'folder',
      'svc.files.storage.archive.path': join(folder, 'archive'),
    };
    const storages = await open({ ...two, 'svc.core.default-file-storage': 'archive' });
    expect(storages.default).toMatchObject({ name: 'archive', maxFileSizeBytes: Number.POSITIVE_INFINITY });
    await expect(open(two)).rejects.toThrow(/svc\.core\.default-file-storage/);
    await expect(open({ ...two, 'svc.core.default-file-storage': 'no' })).rejects.toThrow(/names no/);
  });

  // Asserts contract/files.md#reference, contract/files.md#storages.
  test('is a folder where none is configured, and refuses names that are no scheme', async () => {
    const config = loadSettings(settings, {
      sources: [{ label: 'test', kind: 'application', values: REQUIRED }],
      readSecretFile: () => '',
    });
    const storages = await openFileStorages(config, { warn: () => {} }, join(folder, 'standard'));
    expect(storages.all.map(({ name }) => name)).toEqual(['fs']);
    await expect(storages.default.store.assertReady()).resolves.toBeUndefined();
    await expect(open({ 'svc.files.storage.my_files.kind': 'folder' })).rejects.toThrow('my_files');
  });

  test('names the property that is missing or wrong', async () => {
    await expect(open({ 'svc.files.storage.fs.kind': 'folder' })).rejects.toThrow('svc.files.storage.fs.path');
    await expect(open({ 'svc.files.storage.s3.kind': 's3' })).rejects.toThrow('svc.files.storage.s3.endpoint-url');
  });

  test('parts have 8 MiB, or a ten thousandth of the greatest file', () => {
    expect(partSizeOf(100 * 1024 ** 2)).toBe(8 * 1024 ** 2);
    const greatest = 1024 ** 4;
    expect(partSizeOf(greatest) * 10_000).toBeGreaterThanOrEqual(greatest);
  });
});
