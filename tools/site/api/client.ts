/**
 * The client for browsers and Node, without dependencies.
 *
 * @module
 */
export * from '@lintel/client';
