/**
 * Starts an application in the process of its tests, and calls it.
 *
 * @module
 */
export * from '@lintel/test';
