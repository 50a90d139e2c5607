/**
 * The first module of the page: whether there is a login is decided before anything is shown, while the rest is loaded
 * already.
 */
import { createLogin, ensureLogin } from './session/login.ts';
import { readSettings } from './settings.ts';

const settings = readSettings(document);
const login = createLogin(settings);
const loading = import('./main.tsx');
const state = await ensureLogin(login, settings);
if (state !== 'leaving') (await loading).showConsole(document.getElementById('console'), { settings, login, state });
