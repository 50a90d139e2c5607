/**
 * The part of the HTTP kit that applications use: handlers of Express as controllers.
 *
 * @module
 */
export { type ExpressMount, fromExpress } from '@lintel/http';
