import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkLibraries } from './link-libraries.ts';

let home: string;
let native: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'link-libraries-'));
  native = join(home, 'native');
  mkdirSync(join(native, 'lib'), { recursive: true });
  writeFileSync(join(native, 'lib', 'libpq.so.5.18'), '');
});
afterEach(() => rmSync(home, { recursive: true }));

test('missing links are made beside their libraries, and a second time nothing happens', () => {
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  linkLibraries(native);
  linkLibraries(native);
  expect(readlinkSync(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
});

test('a package without a list of links needs none', () => {
  expect(() => linkLibraries(native)).not.toThrow();
});
