export { type LocalRegistry, startLocalRegistry } from './local-registry.ts';
export { type NewcomerShell, openShell } from './newcomer-shell.ts';
export { removeFolder } from './remove-folder.ts';
