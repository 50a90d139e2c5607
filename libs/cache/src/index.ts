export type { KeyValueStore } from './key-value-store.ts';
export type { SessionStore } from './session-store.ts';
