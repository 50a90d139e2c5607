export { createScim, type Scim } from './create-scim.ts';
export { scimSettings } from './scim-settings.ts';
