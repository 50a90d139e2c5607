import { homedir } from 'node:os';
import { join } from 'node:path';
import { credentialsFile } from './credentials.ts';

test.each([
  [{ XDG_CONFIG_HOME: '/config' }, '/config'],
  [{ XDG_CONFIG_HOME: '/config', APPDATA: '/data' }, '/config'],
  [{ XDG_CONFIG_HOME: 'relative', APPDATA: '/data' }, '/data'],
  [{ XDG_CONFIG_HOME: './relative' }, join(homedir(), '.config')],
  [{ XDG_CONFIG_HOME: '' }, join(homedir(), '.config')],
  [{}, join(homedir(), '.config')],
])('with %j the file is below %s', (variables, folder) => {
  expect(credentialsFile(variables)).toBe(join(folder, 'lintel', 'credentials.json'));
});
