export { createAdministration } from './create-administration.ts';
export { createToolData } from './create-tool-data.ts';
export { reportListeners } from './listeners/report-listeners.ts';
export { roleListeners } from './listeners/role-listeners.ts';
