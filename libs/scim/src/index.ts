export { createScim, type Scim, type ScimPorts } from './create-scim.ts';
export { scimSettings } from './scim-settings.ts';
