/**
 * The first module of the page: whether there is a login is decided before anything is shown, while the rest is loaded
 * already.
 */
import { createLogin } from '@lintel/react';
import { readSettings } from './settings.ts';

async function start(): Promise<void> {
  const settings = readSettings(document);
  const login = createLogin(settings);
  const loading = import('./main.tsx');
  const state = await login.ensure();
  if (state !== 'leaving') (await loading).showConsole(document.getElementById('console'), { settings, login, state });
}

// Not awaited: the other files import parts of this one.
void start();
